"""Finds the steps of a training that is not ours, and has tuneproof_window record some of them.

A step ends where an optimizer has stepped; of several, where the one has that closes their cycle; without an optimizer,
where a batch is asked for, or else where a backward pass has ended (or torch.autograd.grad). What goes wrong here ends the watching and never the program; outside of windows a step
costs some comparisons, and of those that follow a window the time is taken.
"""

import atexit
import collections
import contextlib
import functools
import json
import os
import statistics
import sys
import threading
from time import monotonic, time

import tuneproof_facts
import tuneproof_loading
import tuneproof_pace
import tuneproof_window

NEVER = float("inf")
HALF = 5              # steps in each of the two medians that say whether step times have settled
SETTLED = 0.1         # they have where the medians differ by no more than this share
MOST_STEPS = 50       # what has not settled by then never will
MOST_SECONDS = 120
EARLY_SKIP = 3        # steps before the early window, which a short program is left with
EARLY_STEPS = 5       # that it records at most
MOST_STOP = 10        # seconds that the profiler may take to pack a window
RANKS_SKIP = 20       # all ranks must record the same steps, so that none goes by its own times alone
RANKS_ROUND = 10
LOOK_AGAIN = 1        # seconds: a program that begins another kind of cycle is noticed
FIRST_OF = {"backward": "tensors", "grad": "outputs"}  # arguments
AWAY = 20             # steps of one optimizer without any of that which closed the cycle: another kind of cycle began


def watch(torch, folder, note):
    """Begins to watch the program that has imported torch."""
    with open(os.path.join(folder, "options.json")) as file:
        options = json.load(file)
    note("torch", version=torch.__version__)
    why_not = tuneproof_window.why_not(torch)
    if why_not:
        note("problem", sentence=why_not)
        return
    recorder = recorder_of(torch, options, note, folder)
    recorder.enter_optimizers()
    recorder.enter_loader()
    recorder.enter_backward()
    tuneproof_loading.follow_workers(torch, folder)
    tuneproof_window.follow_profilers(torch, recorder)
    os.register_at_fork(after_in_child=recorder.in_child)
    atexit.register(recorder.at_exit)


def recorder_of(torch, options, note, folder):
    """Of windows for `watch`; of step times, without a profiler, for `versus`."""
    if not options.get("step_times"):
        return Recorder(torch, options, note, folder)
    import tuneproof_steps
    return tuneproof_steps.StepTimes(torch, options, note, folder)


class AtItsEnd:
    """Calls when the frame that holds it returns. An interrupt goes no further from there: the next step raises it."""
    interrupted = False

    def __init__(self, call):
        self.call = call

    def __del__(self):
        try:
            self.call()
        except KeyboardInterrupt:
            AtItsEnd.interrupted = True


def after_caller(frame, call):
    """Calls when the frame returns: Optimizer.step calls its hooks in its own range, which is to end within the step."""
    if not tuneproof_facts.has_lock():
        frame.f_locals["tuneproof"] = AtItsEnd(call)  # settrace would stop all threads first, however long each waits for a CPU
        return
    if sys.gettrace() is not None:
        call()  # a debugger is there first: the range lies across two steps then
        return

    def trace(_, event, __):
        if event == "return":
            sys.settrace(None)
            call()
        return trace

    frame.f_trace_lines = False
    frame.f_trace = trace
    sys.settrace(lambda *_: None)


def goes_on(arguments, keywords):
    """Whether torch.autograd.grad keeps its graph: the step asks for more of it."""
    kept = {name: value for name, value in zip(("retain_graph", "create_graph"), arguments[3:5])}
    return any({**kept, **keywords}.get(name) for name in ("retain_graph", "create_graph"))


def any_optimizer(kind):
    """True if the program has made an optimizer of this class or of one that derives from it."""
    return getattr(kind.step, "hooked", False) or any(any_optimizer(derived) for derived in kind.__subclasses__())


@contextlib.contextmanager
def uncompiled(torch):
    """Compiled code of the program may call us: what is ours is not to be compiled with it."""
    frames = getattr(getattr(torch._C, "_dynamo", None), "eval_frame", None)
    before = frames.set_eval_frame(None) if frames else None
    try:
        yield
    finally:
        if frames:
            frames.set_eval_frame(before)


def guarded(method):
    """The program calls it: an error is noted, and ends the watching."""
    @functools.wraps(method)
    def call(self, *arguments):
        try:
            with uncompiled(self.torch):
                return method(self, *arguments)
        except KeyboardInterrupt:
            self.interrupted = True  # the program decides whether it goes on, and we do not record any more
            raise
        except Exception as error:
            self.sleep()
            if self.probes:
                self.probes.remove()
            self.window, self.begin_at, self.early_due = None, NEVER, False
            self.note("problem", sentence=f"{type(error).__name__}: {error}")
    return call


class Cycle:
    """Which of several optimizers ends a step of the training: the one that first stepped last of all."""
    def __init__(self):
        self.closes = None
        self.seen = set()
        self.since = collections.Counter()

    def ends_with(self, optimizer):
        me = id(optimizer)  # no reference: gigabytes may hang on it
        self.since[me] += 1
        if me not in self.seen or self.since[me] > AWAY:
            self.seen.add(me)
            self.closes = me
        if me != self.closes:
            return False
        self.since.clear()
        return True


class Settling:
    """Whether step times have settled: warm-up is over."""
    def __init__(self):
        self.ends = collections.deque(maxlen=2 * HALF + 1)
        self.first = None

    def settled(self, steps):
        now = monotonic()
        self.ends.append(now)
        self.first = self.first or now
        if steps >= MOST_STEPS or (steps > 2 and now - self.first > MOST_SECONDS):
            return True
        if len(self.ends) < self.ends.maxlen:
            return False
        ends = list(self.ends)
        took = [end - begin for begin, end in zip(ends, ends[1:])]
        before, after = statistics.median(took[:HALF]), statistics.median(took[HALF:])
        return abs(after - before) <= SETTLED * before


class Recorder:
    def __init__(self, torch, options, note, folder):
        self.torch, self.options, self.note = torch, options, note
        self.wake, self.wake_step = 0, NEVER  # until the time or the step has come a step is only counted
        self.begin_at = None if options["at"] is None else monotonic() + options["at"] - time()
        self.steps = 0         # that have ended
        self.cycle, self.settling = Cycle(), Settling()
        self.thread = None     # the one whose steps count
        self.window = None     # what is being recorded
        self.probes = None     # what is asked around the window
        self.early = None      # a window of the first steps, kept in memory for where no later one comes
        self.pace = None       # of the steps since a window
        self.early_due = options["skip"] is None and self.begin_at is None
        self.interrupted = False  # within a window
        self.passed_over = False  # a batch ended no step, since an optimizer has been made
        self.stepped_within = False  # an optimizer has stepped within the backward pass
        self.own_next = None   # the DataLoader's __next__ while ours is in its place
        self.own_passes = {}   # by name, torch.autograd's functions while ours are in their place
        self.hook = None       # of the optimizers; its remove() takes it off
        self.loading = tuneproof_loading.Loading(torch, self, folder)
        self.within_backward = getattr(torch._C, "_current_graph_task_id", lambda: -1)

    def sleep(self, until=NEVER, step=NEVER):
        self.wake, self.wake_step = until, step

    # Where a step ends.

    def enter_optimizers(self):
        from torch.optim.optimizer import register_optimizer_step_post_hook

        def stepped(optimizer, arguments, keywords):
            if self.steps >= self.wake_step or monotonic() >= self.wake:
                self.optimizer_stepped(optimizer, sys._getframe(1))
            elif id(optimizer) == self.cycle.closes:
                self.count()

        stepped._torchdynamo_disable = True  # traced into compiled code, it would compile that anew for each window
        self.hook = register_optimizer_step_post_hook(stepped)

    def enter_loader(self):
        iterator = self.torch.utils.data.dataloader._BaseDataLoaderIter
        self.own_next = own = iterator.__next__

        @functools.wraps(own)
        def next_batch(loader):
            if self.steps >= self.wake_step or monotonic() >= self.wake:
                self.batch_asked_for()
            elif self.thread is not None:
                self.count()
            return own(loader)

        iterator.__next__ = next_batch

    def enter_backward(self):
        for name in ("backward", "grad"):
            self.follow(name)

    def follow(self, name):
        autograd = self.torch.autograd
        self.own_passes[name] = own = getattr(autograd, name)

        @functools.wraps(own)
        def goes_backwards(*arguments, **keywords):
            gradients = own(*arguments, **keywords)
            if name not in self.own_passes or (name == "grad" and goes_on(arguments, keywords)):
                return gradients  # the program may have kept ours under a name of its own
            if self.steps >= self.wake_step or monotonic() >= self.wake:
                tensors = arguments[0] if arguments else keywords.get(FIRST_OF[name])
                self.gradients_came(tensors) if name == "grad" else self.backward_ended(tensors)
            elif self.thread is not None:
                self.count()
            return gradients

        goes_backwards._torchdynamo_disable = True
        setattr(autograd, name, goes_backwards)

    def count(self):
        """A step has ended."""
        self.steps += 1
        if self.pace:
            self.pace.step_ended()

    def leave_loader(self):
        """An optimizer says more, and what has been recorded is to cost nothing."""
        if self.own_next is not None:
            self.torch.utils.data.dataloader._BaseDataLoaderIter.__next__ = self.own_next
            self.own_next = None

    def leave_backward(self):
        """An optimizer or a loader says more."""
        self.leave("backward", "grad")

    def leave(self, *names):
        for name in names:
            if name in self.own_passes:
                setattr(self.torch.autograd, name, self.own_passes.pop(name))

    @guarded
    def optimizer_stepped(self, optimizer, caller):
        if self.within_backward() != -1:
            self.stepped_within = True  # the profiler can neither begin nor end there
            return
        self.leave_loader()
        self.leave_backward()
        if self.in_its_thread() and self.cycle.ends_with(optimizer):
            self.ended(lambda: ([p for group in optimizer.param_groups for p in group["params"]], optimizer.state.values()),
                       caller)

    @guarded
    def batch_asked_for(self):
        if self.passes_over():
            return
        self.leave_backward()
        begun = self.thread is not None
        if self.in_its_thread() and begun:
            self.ended()

    @guarded
    def backward_ended(self, tensors):
        if self.within_backward() != -1:
            return  # a checkpoint's own
        within, self.stepped_within = self.stepped_within, False
        if not within and self.passes_over():
            return
        self.leave("grad")
        self.pass_ended(tensors)

    @guarded
    def gradients_came(self, tensors):
        """A training by hand; where backward() runs as well, as behind a penalty on gradients, that says more."""
        if self.within_backward() == -1 and not self.passes_over():
            self.pass_ended(tensors)

    def pass_ended(self, tensors):
        self.leave_loader()
        if self.in_its_thread():
            several = tensors if isinstance(tensors, (list, tuple)) else [tensors]
            self.ended(lambda: (tuneproof_facts.parameters_of(several), []))

    def passes_over(self):
        """Whether an optimizer is to say where steps end, since there is one."""
        if not any_optimizer(self.torch.optim.Optimizer):
            return False
        if not self.passed_over:
            self.passed_over = True
            self.note("passed_over")
        return True

    def in_its_thread(self):
        me = threading.get_ident()
        if self.thread is None:
            self.thread = me
            self.note("step")
        return self.thread == me

    def ended(self, source=lambda: ([], []), caller=None):
        """A step has; `source` gives what it trains, and `caller` is the frame that the step lies in."""
        self.count()
        self.loading.step_ended()
        if AtItsEnd.interrupted:
            AtItsEnd.interrupted = False
            raise KeyboardInterrupt
        if self.interrupted:
            self.sleep()
        elif self.window and self.window.recording() and caller is not None:
            after_caller(caller, lambda: self.step_ended(source))
        elif self.window or self.is_time():
            self.step_ended(source)

    # When a window opens and closes.

    def is_time(self):
        if self.early_due:
            return self.steps >= EARLY_SKIP
        if self.begin_at is not None:
            if monotonic() < self.begin_at and self.steps > AWAY:  # whose steps count is known by then
                self.sleep(self.begin_at)
            return monotonic() >= self.begin_at and (self.alone() or self.steps % RANKS_ROUND == 0)
        skip = self.options["skip"]
        if skip is not None:
            if AWAY < self.steps < skip - 2:
                self.sleep(monotonic() + LOOK_AGAIN, skip - 2)
            return self.steps >= skip - 1  # the last of them warms the profiler up
        return self.settling.settled(self.steps) if self.alone() else self.steps >= RANKS_SKIP

    def alone(self):
        return tuneproof_window.world_size(self.torch) == 1

    @guarded
    def step_ended(self, source):
        if self.window is None:
            self.open(source)
        elif not self.window.recording():
            self.probes.begin()
            self.window.begin(self.probes.steps_begin)
        elif self.window.step():
            self.close()

    def open(self, source):
        self.opened = monotonic()
        self.leave_pace()  # under a profiler steps take longer
        on_host = len(tuneproof_window.activities(self.torch)) == 1
        self.probes = tuneproof_facts.Probes(self.torch, source if on_host else None)
        most = EARLY_STEPS if self.early_due else self.affordable_steps()
        self.window = tuneproof_window.Window(self.torch, self.options, self.steps, self.early_due, most)
        self.early_due = False

    def affordable_steps(self):
        """As many as the profiler packs in some seconds, by the early window; None: all."""
        if self.early is None or self.early.stop_seconds == 0:
            return None
        return max(1, int(MOST_STOP * self.early.recorded / self.early.stop_seconds))

    def close(self):
        begun = monotonic()
        self.window.stop(self.facts(), self.note)
        if not self.window.early:
            self.window.write(self.note)
        window, self.window = self.window, None
        self.loading.stalled += monotonic() - begun
        if window.early:
            self.early = window
            return
        self.early = None
        self.rest()
        self.note("trace", **window.kept)
        self.pace = tuneproof_pace.Pace(statistics.median(window.took), window.first, window.recorded, self.note)

    def leave_pace(self):
        if self.pace:
            self.pace.say()
        self.pace = None

    def facts(self):
        """What the trace is to say of the program."""
        loading, last = self.loading, self.window.first + self.window.recorded
        return {**self.probes.end(), "loader": tuneproof_facts.known(loading.facts),
                "epochs": tuneproof_facts.known(lambda: loading.epoch_starts(self.steps)),
                "epoch_steps": [epoch.step for epoch in loading.epochs if self.window.first <= epoch.step < last]}

    def rest(self):
        """Until the next window, which is the first again to look at the clock."""
        every = self.options["every"]
        self.begin_at = NEVER if every is None else self.opened + every
        self.sleep(self.begin_at)
        if every is None:
            self.leave_loader()
            self.leave_backward()

    @guarded
    def make_way(self):
        """The program's own profiler begins, and two do not run at once."""
        self.sleep()
        self.leave_loader()
        self.leave_backward()
        self.note("theirs")
        self.leave_pace()
        self.early, self.begin_at, self.early_due = None, NEVER, False
        if self.window:
            window, self.window = self.window, None
            self.probes.remove()
            window.abandon()

    def in_child(self):
        """A fork. A window that is open is the parent's; without one the child is watched as the parent was."""
        if self.window:
            self.sleep()
            self.probes.remove()
        self.window = self.thread = self.early = self.pace = None
        self.steps, self.settling = 0, Settling()

    @guarded
    def at_exit(self):
        try:
            self.write_last()
        except KeyboardInterrupt:
            self.note("problem", sentence="an interrupt came while the last trace was written: it is lost")
        self.leave_pace()
        epochs = tuneproof_facts.known(lambda: self.loading.epoch_starts(self.steps))
        self.note("end", steps=self.steps, epochs=epochs)

    def write_last(self):
        """Of a window that is cut off and the early one, the one that says more."""
        window, early = self.window, self.early
        if window and window.recording() and early and window.recorded < early.recorded:
            window.abandon()
        elif window and window.finish(self.facts, self.note):
            self.note("trace", **window.kept)
            return
        if early:
            early.write(self.note)
            self.note("trace", **early.kept)
