"""Workers of a loader in Python: how long they take to start, and how much memory of their own one needs.

It reads a word a line and answers with one. fork, forkserver, spawn: starts two workers that way, and says what they made
of the first batches. objects, array: forks a worker that reads the whole data set, and says what it found and how many
KiB it has written to. threads/python, processes/library and their like: two workers that stay decode batches by Python's
own code or by a library's. microbench/dataload/{start_method,python_objects,thread_workers}.cpp are the other side.
"""

import array
import gc
import multiprocessing
import multiprocessing.pool
import os
import re
import sys
import zlib

SAMPLES = 200_000
TEXT = " ".join(map(str, range(20_000)))
PACKED = zlib.compress(bytes(1 << 22) + TEXT.encode())


def first_batches(method):
    with multiprocessing.get_context(method).Pool(2) as workers:
        return sum(workers.map(abs, range(-8, 0), 1))


def own_memory():
    """KiB that this process alone holds."""
    with open("/proc/self/smaps_rollup") as file:
        return sum(int(kib) for kib in re.findall(r"Private_\w+: +(\d+)", file.read()))


def in_worker(epoch):
    """What the epoch gives and how much memory it takes, in a process that is forked for it."""
    reads, writes = os.pipe()
    if os.fork() == 0:
        before = own_memory()
        found = epoch()
        os.write(writes, f"{found} {own_memory() - before}".encode())
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads) as answer:
        said = answer.read()
    os.wait()
    return said


def of_objects():
    return sum(sample["id"] for sample in objects)


def of_array():
    return sum(ids)


def by_python(batch):
    return sum(int(word) for word in TEXT.split()) + batch


def by_library(batch):
    return zlib.crc32(zlib.decompress(PACKED)) + batch


def decoded(kind, decode):
    """What eight batches give, by two workers that stay; processes are forked before there are threads."""
    if not staying:
        staying["processes"] = multiprocessing.get_context("fork").Pool(2)
        staying["threads"] = multiprocessing.pool.ThreadPool(2)
    return sum(staying[kind].map(decode, range(8), 1))


objects, ids, staying = [], array.array("q"), {}
for line in sys.stdin:
    word = line.strip()
    if word in ("objects", "array"):
        if not objects:
            objects = [{"id": i, "label": i % 10} for i in range(1000, 1000 + SAMPLES)]
            ids.extend(sample["id"] for sample in objects)
            gc.collect()
            gc.disable()  # a collection would write to objects too
        print(in_worker(of_objects if word == "objects" else of_array), flush=True)
    elif "/" in word:
        kind, by = word.split("/")
        print(decoded(kind, by_python if by == "python" else by_library), flush=True)
    else:
        print(first_batches(word), flush=True)
for workers in staying.values():
    workers.terminate()
