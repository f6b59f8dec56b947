"""One window: some steps under torch.profiler, and the trace that it leaves."""

import contextlib
import functools
import inspect
import json
import os
import re
import sys
from time import time


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


class Window:
    driving = False  # a call of ours is under way

    def __init__(self, torch, options, steps):
        self.torch, self.options, self.first = torch, options, steps + 1
        self.asked = 0  # how often torch.profiler has asked what to do: once a step, the warm-up counted
        self.kept = None
        profile = torch.profiler.profile
        # Without it newer ones warn that a second window would forget the first one's table.
        newer = {"acc_events": True} if "acc_events" in inspect.signature(profile).parameters else {}
        with driving():
            self.profile = profile(activities=activities(torch), schedule=self.action, on_trace_ready=self.keep,
                                   record_shapes=options["shapes"], profile_memory=options["memory"],
                                   with_stack=options["stacks"], **newer)
            self.profile.step_num = steps  # ProfilerStep#N is the program's step
            self.profile.start()

    def action(self, _):
        actions = self.torch.profiler.ProfilerAction
        self.asked += 1
        left = self.options["steps"] + 1 - self.asked
        if self.asked == 1:
            return actions.WARMUP
        return actions.RECORD if left > 0 else actions.RECORD_AND_SAVE if left == 0 else actions.NONE

    def recording(self):
        return self.asked > 1

    def step(self):
        """A step has ended; true if it was the last."""
        with driving():
            self.profile.step()
        return self.asked > self.options["steps"] + 1

    def cut(self):
        """The program ends: keeps what there is; false where not one whole step is."""
        if self.asked < 3:
            self.abandon()
            return False
        with driving():
            self.profile.stop()
        return True

    def abandon(self):
        self.profile.on_trace_ready = None
        with driving():
            self.profile.stop()

    def keep(self, profile):
        rank, ranks = rank_of(self.torch), world_size(self.torch)
        if ranks > 1 and not has_group(self.torch):
            profile.add_metadata_json("distributedInfo", json.dumps({"rank": rank, "world_size": ranks}))
        who = f"rank{rank}" if ranks > 1 else str(os.getpid())
        name = f"{script_name()}-{who}.{int(time() * 1000)}.pt.trace.json.gz"
        part, file = os.path.join(self.options["parts"], name), os.path.join(self.options["out"], name)
        profile.export_chrome_trace(part)
        os.rename(part, file)
        self.kept = {"file": file, "first": self.first, "steps": self.asked - 2, "rank": rank, "ranks": ranks}
