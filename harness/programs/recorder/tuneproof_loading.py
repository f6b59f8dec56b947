"""The data loader as the program uses it: what its workers take, and what each epoch's first step costs."""

import functools
import json
import multiprocessing
import os
import statistics
import weakref
from time import monotonic, process_time

from tuneproof_facts import known, python_queued_seconds

MOST_EPOCHS = 1000
MOST_BATCHES = 500  # of a worker that are measured
SELDOM = 0.1        # seconds from one writing of them to the next


class Meter:
    """In a worker: how long its batches take from the order to the answer, kept in a file for the training process."""
    def __init__(self, file, threads):
        self.file, self.threads = file, threads
        self.batches, self.seconds, self.cpu = 0, 0.0, 0.0  # seconds: without those of waiting for a CPU
        self.calmest = None  # of the batch that its other threads held up least: by how much; seconds without that, CPU seconds
        self.begun, self.written = None, 0

    def begin(self):
        self.begun = monotonic(), process_time(), *python_queued_seconds()

    def end(self):
        if self.begun is None or self.batches >= MOST_BATCHES:
            return
        (queued, others), ended, now = python_queued_seconds(), process_time(), monotonic()  # the queue's time lies within the clock's
        took, cpu, queued, others = (end - begin for end, begin in zip((now, ended, queued, others), self.begun))
        self.begun = None
        self.batches += 1
        calm = others, max(cpu, took - queued - others), cpu
        self.calmest = min(self.calmest or calm, calm)
        self.seconds += max(cpu, took - queued)
        self.cpu += cpu
        if now - self.written > SELDOM or self.batches & (self.batches - 1) == 0:  # the first one is not like the others
            self.written = now
            self.write()

    def write(self):
        with open(self.file + ".part", "w") as file:
            json.dump({"batches": self.batches, "seconds": self.seconds, "cpu": self.cpu, "calmest": self.calmest,
                       "threads": self.threads()}, file)
        os.replace(self.file + ".part", self.file)


class Orders:
    """The queue in which a worker finds what to load; passes everything on."""
    def __init__(self, queue, meter):
        self.queue, self.meter = queue, meter

    def get(self, *arguments, **keywords):
        order = self.queue.get(*arguments, **keywords)
        known(self.meter.begin)
        return order

    def __getattr__(self, name):
        return getattr(self.queue, name)


class Answers:
    """The queue in which it puts what it has loaded."""
    def __init__(self, queue, meter):
        self.queue, self.meter = queue, meter

    def put(self, *arguments, **keywords):
        known(self.meter.end)
        return self.queue.put(*arguments, **keywords)

    def __getattr__(self, name):
        return getattr(self.queue, name)


def follow_workers(torch, folder):
    """Has each worker of a DataLoader measure its batches. No frame of ours lies around the program's own code."""
    worker = torch.utils.data._utils.worker
    own = worker._worker_loop

    @functools.wraps(own)
    def loop(kind, dataset, orders, answers, *more, **keywords):
        parent = multiprocessing.parent_process()
        meter = Meter(os.path.join(folder, "loading", f"{parent.pid if parent else 0}.{os.getpid()}"), torch.get_num_threads)
        return own(kind, dataset, Orders(orders, meter), Answers(answers, meter), *more, **keywords)

    worker._worker_loop = loop


def measured(folder, pids):
    """Of these workers: seconds and CPU seconds a batch, without those of waiting for a CPU, and threads.

    Where CPUs are few, a worker may also wait for its own other thread, which waits for one, or sleep beside it: whether it computes
    or waits for a source is told by the batch in which that thread waited least. One that computes takes its CPU seconds.
    """
    found = []
    for pid in pids:
        try:
            with open(os.path.join(folder, "loading", f"{os.getpid()}.{pid}")) as file:
                found.append(json.load(file))
        except (OSError, ValueError):
            pass
    batches = sum(one["batches"] for one in found)
    if not batches:
        return {}
    cpu = sum(one["cpu"] for one in found) / batches
    waits = sum(one["seconds"] for one in found) / batches
    _, seconds, computing = min(one["calmest"] for one in found)
    return {"load_s": cpu if 2 * computing >= seconds else waits, "cpu_s": cpu, "threads": max(one["threads"] for one in found)}


class Epoch:
    def __init__(self, step, restarts):
        self.begin, self.step, self.restarts, self.first = monotonic(), step, restarts, None


class Iteration:
    """One over a DataLoader, begun behind so many steps; `given` batches when a step ended last."""
    def __init__(self, loader, iterator, start, step):
        self.loader = {"workers": loader.num_workers, "persistent": bool(loader.persistent_workers),
                       "batch": loader.batch_size or getattr(loader.batch_sampler, "batch_size", None), "start": start}
        self.iterator, self.given, self.step = weakref.ref(iterator), 0, step

    def gave(self):
        """Whether it has given a batch since."""
        before, self.given = self.given, getattr(self.iterator(), "_num_yielded", 0)
        return self.given > before


class Loading:
    """Follows each iteration over a DataLoader from its begin."""
    def __init__(self, torch, recorder, folder):
        self.torch, self.recorder, self.folder = torch, recorder, folder
        self.iterations, self.current = [], None  # those that are alive, and the one that gives the steps' batches
        self.epochs, self.open = [], None
        self.stalled = 0.0  # seconds that the recorder itself took
        kind = torch.utils.data.DataLoader
        own = kind.__iter__

        @functools.wraps(own)
        def begin(loader):
            self.begins(loader)
            iterator = own(loader)
            self.has_begun(loader, iterator)
            return iterator

        kind.__iter__ = begin

    def begins(self, loader):
        try:
            self.open = Epoch(self.recorder.steps, loader.num_workers > 0 and not loader.persistent_workers)
            self.recorder.wake = 0
        except Exception:
            self.open = None

    def has_begun(self, loader, iterator):
        try:
            alive = [iteration for iteration in self.iterations if iteration.iterator() not in (None, iterator)]
            start = self.start_method(loader) if loader.num_workers else None
            self.iterations = [*alive, Iteration(loader, iterator, start, self.recorder.steps)]
        except Exception:
            self.iterations, self.current = [], None

    def start_method(self, loader):
        context = loader.multiprocessing_context or self.torch.multiprocessing
        return context.get_start_method()

    def step_ended(self):
        """The first step since an iteration has begun, unless an older one goes on: an evaluation was within its epoch then."""
        gave = [iteration for iteration in self.iterations if iteration.gave()]  # the training's before an evaluation's
        self.current = gave[0] if gave else self.current
        begun, self.open = self.open, None
        if begun is None or (self.current is not None and self.current.step < begun.step) or len(self.epochs) >= MOST_EPOCHS:
            return
        begun.first = monotonic() - begun.begin
        self.epochs.append(begun)

    def facts(self):
        """Of the loader that gives batches now."""
        workers = getattr(self.current and self.current.iterator(), "_workers", [])
        return self.current and {**self.current.loader, **measured(self.folder, [worker.pid for worker in workers])}

    def epoch_starts(self, steps):
        """What starting the workers anew in each epoch costs; None where no two epochs have shown it."""
        firsts = [epoch for epoch in self.epochs if epoch.restarts]
        ordinary_steps = steps - self.epochs[0].step - len(self.epochs) if self.epochs else 0
        if len(firsts) < 2 or ordinary_steps < 1:
            return None
        elapsed = monotonic() - self.epochs[0].begin - self.stalled
        ordinary = (elapsed - sum(epoch.first for epoch in self.epochs)) / ordinary_steps
        extra = statistics.median(epoch.first for epoch in firsts[1:]) - ordinary
        return {"starts": len(firsts), "each_s": extra, "share": extra * len(firsts) / elapsed} if extra > 0 else None
