"""A loop over samples that are Python objects, an epoch each time it is asked for one.

It reads a word a line: automatic, manual or frozen, which say who collects garbage; epoch, which it answers with a number
that depends on all that it has computed. microbench/loop/garbage_collection.cpp is the other side.
"""

import gc
import sys

KEPT, SAMPLES, BATCH, EVERY = 200_000, 20_000, 32, 50
kept = [{"id": i, "tokens": [i, i + 1]} for i in range(KEPT)]  # a data set's index, which stays


def epoch(manual):
    total, history = 0, []
    samples = [(i, {"id": i, "tokens": [i % 7, i % 11, i % 13]}) for i in range(SAMPLES)]  # made anew in each epoch
    for step, begin in enumerate(range(0, SAMPLES, BATCH)):
        batch = [{"id": sample["id"], "tokens": list(sample["tokens"]), "sum": sum(sample["tokens"])}
                 for _, sample in samples[begin:begin + BATCH]]
        total = (total * 31 + sum(sample["sum"] for sample in batch)) % 1_000_003
        history.append({"step": step, "loss": total})
        if manual and step % EVERY == 0:
            gc.collect(1)
    return total


manual = False
for line in sys.stdin:
    word = line.strip()
    if word == "epoch":
        print(epoch(manual), flush=True)
        continue
    gc.unfreeze()
    gc.collect()
    manual = word == "manual"
    if manual:
        gc.disable()
    else:
        gc.enable()
    if word == "frozen":
        gc.freeze()
    print("ready", flush=True)
