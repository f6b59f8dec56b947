"""One window: some steps under torch.profiler, and the trace that it leaves."""

import contextlib
import functools
import gzip
import inspect
import json
import os
import re
import sys
from time import monotonic, time

MOST_PACKING = 20  # seconds after which a trace stays unpacked
MOST_EARLY = 10    # seconds of recorded steps after which an early window ends


def why_not(torch):
    """Why this torch cannot be recorded; nothing where it can."""
    if not hasattr(sys.modules.get("torch.optim.optimizer"), "register_optimizer_step_post_hook"):
        return f"torch {torch.__version__} tells nobody when an optimizer has stepped; 2.0 and later do"
    if not hasattr(torch, "profiler") or not torch.profiler.kineto_available():
        return f"torch {torch.__version__} was built without its profiler (Kineto)"
    return None


def follow_profilers(torch, recorder):
    """Ours makes way for a profiler of the program; what that one exports is diagnosed in its place."""
    profiler = torch.autograd.profiler.profile
    made = profiler.__init__

    @functools.wraps(made)
    def init(self, *arguments, **keywords):
        if not Window.driving:
            recorder.make_way()
        made(self, *arguments, **keywords)

    profiler.__init__ = init
    kineto = torch.profiler._KinetoProfile
    export = kineto.export_chrome_trace

    @functools.wraps(export)
    def export_chrome_trace(self, path):
        result = export(self, path)
        if not Window.driving:
            recorder.note("their_trace", file=os.path.abspath(path))
        return result

    kineto.export_chrome_trace = export_chrome_trace


@contextlib.contextmanager
def driving():
    """Calls of ours into the profiler, without what Kineto logs where there is no driver for a device."""
    before = os.environ.get("KINETO_LOG_LEVEL")
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")
    Window.driving = True
    try:
        yield
    finally:
        Window.driving = False
        if before is None:
            os.environ.pop("KINETO_LOG_LEVEL", None)


def has_group(torch):
    return torch.distributed.is_available() and torch.distributed.is_initialized()


def world_size(torch):
    return torch.distributed.get_world_size() if has_group(torch) else int(os.environ.get("WORLD_SIZE") or 1)


def rank_of(torch):
    return torch.distributed.get_rank() if has_group(torch) else int(os.environ.get("RANK") or 0)


def activities(torch):
    """The host, and each kind of device that the program has begun to use; to ask for more would begin it."""
    kinds = torch.profiler.ProfilerActivity
    used = [kinds.CPU]
    for name in ("cuda", "xpu", "mtia"):
        module = getattr(torch, name, None)
        if hasattr(kinds, name.upper()) and hasattr(module, "is_initialized") and module.is_initialized():
            used.append(getattr(kinds, name.upper()))
    return used


def script_name():
    """"train" of train.py and of `python -m train`."""
    path = sys.argv[0] if sys.argv else ""
    stem = os.path.splitext(os.path.basename(path))[0]
    if stem == "__main__":
        stem = os.path.basename(os.path.dirname(path))
    return "python" if stem in ("", "-c", "-m") else re.sub(r"[^\w-]", "_", stem)


def packed(source, target):
    """Packs the file; false where that takes too long."""
    deadline = monotonic() + MOST_PACKING
    with open(source, "rb") as plain, gzip.open(target, "wb", compresslevel=1) as file:
        while block := plain.read(1 << 20):
            if monotonic() > deadline:
                return False
            file.write(block)
    return True


class Window:
    """Warms the profiler up for one step, records some, and writes their trace."""
    driving = False  # a call of ours is under way

    def __init__(self, torch, options, steps, early=False, most_steps=None):
        self.torch, self.options, self.first, self.early = torch, options, steps + 1, early
        self.most_steps = min(options["steps"], most_steps or options["steps"])
        self.recorded = 0         # whole steps
        self.took = []            # seconds of each
        self.range = None         # ProfilerStep#N
        self.stage = "warming"    # then recording, stopping, stopped, saving, saved, kept
        self.stop_seconds = 0.0
        self.plain = self.kept = None
        profile = torch.profiler.profile
        # With it newer ones do not warn that a second window would forget the first one's table.
        newer = {"acc_events": True} if "acc_events" in inspect.signature(profile).parameters else {}
        with driving():
            self.profile = profile(activities=activities(torch), record_shapes=options["shapes"],
                                   profile_memory=options["memory"], with_stack=options["stacks"], **newer)
            self.profile.prepare_trace()
        if newer:  # nor do they build that table
            self.profile.acc_events = self.profile.profiler.acc_events = False

    def recording(self):
        return self.stage == "recording"

    def begin(self, steps_begin):
        """The warm-up is over; `steps_begin` is called once the profiler runs."""
        with driving():
            self.profile.start_trace()
        steps_begin()
        self.stage, self.began = "recording", monotonic()
        self.enter_step()

    def enter_step(self):
        self.range = self.torch.profiler.record_function(f"ProfilerStep#{self.first + self.recorded}")
        self.range.__enter__()
        self.entered = monotonic()

    def step(self):
        """A step has ended; true if it was the last."""
        self.range.__exit__(None, None, None)
        self.took.append(monotonic() - self.entered)
        self.recorded += 1
        if self.recorded >= self.most_steps or (self.early and monotonic() - self.began > MOST_EARLY):
            return True
        self.enter_step()
        return False

    @contextlib.contextmanager
    def packing(self, note):
        """The program waits for us; `note` says so, and when it goes on."""
        note("packing", first=self.first, steps=self.recorded)
        try:
            yield
        finally:
            note("packed", first=self.first)

    def stop(self, facts, note):
        """Ends the profiler; `facts` go into the trace."""
        began = monotonic()
        rank, ranks = rank_of(self.torch), world_size(self.torch)
        with self.packing(note), driving():
            if ranks > 1 and not has_group(self.torch):
                self.profile.add_metadata_json("distributedInfo", json.dumps({"rank": rank, "world_size": ranks}))
            self.profile.add_metadata_json("tuneproof", json.dumps(facts))
            self.stage = "stopping"
            self.profile.stop_trace()
        self.stage, self.stop_seconds = "stopped", monotonic() - began

    def write(self, note):
        """Writes the trace, packed where that does not take long; `note` says what is under way."""
        rank, ranks = rank_of(self.torch), world_size(self.torch)
        who = f"rank{rank}" if ranks > 1 else str(os.getpid())
        name = f"{script_name()}-{who}.{int(time() * 1000)}.pt.trace.json"
        self.plain = os.path.join(self.options["parts"], name)
        self.stage = "saving"
        with self.packing(note):
            with driving():
                self.profile.export_chrome_trace(self.plain)
            self.stage = "saved"
            if packed(self.plain, self.plain + ".gz"):
                self.plain += ".gz"
            else:
                note("problem", sentence=f"{name} stays unpacked: packing it took longer than {MOST_PACKING} s")
            self.keep()

    def keep(self):
        file = os.path.join(self.options["out"], os.path.basename(self.plain))
        os.rename(self.plain, file)
        self.stage = "kept"
        self.kept = {"file": file, "first": self.first, "steps": self.recorded, "rank": rank_of(self.torch),
                     "ranks": world_size(self.torch), "early": self.early}

    def finish(self, facts, note):
        """The program ends: goes on where the window was cut off. False where no whole step is left of it."""
        if self.stage == "stopping" and getattr(self.profile.profiler, "kineto_results", None) is not None:
            self.stage = "stopped"
        if self.stage == "recording" and self.recorded:
            self.range.__exit__(None, None, None)
            self.stop({**facts(), "cut_off": self.first + self.recorded}, note)
        if self.stage == "stopped":
            self.write(note)
        elif self.stage == "saved":
            self.keep()
        elif self.stage in ("stopping", "saving"):
            note("problem", sentence="an interrupt came while the profiler packed the recorded steps: they are lost")
        else:
            self.abandon()
        return self.stage == "kept"

    def abandon(self):
        with driving():
            if self.stage == "warming":
                self.profile.start_trace()  # what was prepared only ends if it has begun
            if self.stage in ("warming", "recording"):
                self.stage = "abandoned"
                self.profile.stop_trace()
