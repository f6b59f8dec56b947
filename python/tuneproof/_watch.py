"""`with tuneproof.watch():` around a training loop: what `tuneproof watch` does to a whole program."""

import contextlib
import pathlib
import subprocess
import sys
import tempfile

from . import _program

RECORDER = pathlib.Path(__file__).resolve().parent / "recorder"  # harness/programs/recorder, which `tuneproof watch` uses too


@contextlib.contextmanager
def watch(*, steps=5, skip=None, shapes=False, memory=False, stacks=False, out="traces"):
    """Records some steps of the loop within, once their times have settled or after `skip` steps, and diagnoses them.

    A step is what docs/watch.md says. The trace stays in the folder `out`; the diagnosis is printed. No other profiler
    may run within.
    """
    import torch
    folder = pathlib.Path(out).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(RECORDER))
    try:
        import tuneproof_recorder
        import tuneproof_window
    finally:
        sys.path.remove(str(RECORDER))
    reason = tuneproof_window.why_not(torch)
    if reason:
        raise RuntimeError(reason)
    notes = []
    options = {"steps": steps, "skip": skip, "at": None, "every": None, "shapes": shapes, "memory": memory,
               "stacks": stacks, "out": str(folder), "parts": str(folder)}
    with tempfile.TemporaryDirectory(prefix="tuneproof-watch-") as meters:  # of the loader's workers
        recorder = tuneproof_recorder.Recorder(torch, options, lambda what, **more: notes.append({"what": what, **more}),
                                               meters)
        recorder.enter_optimizers()
        recorder.enter_loader()
        try:
            yield
        finally:
            recorder.at_exit()
            recorder.leave_loader()
            recorder.hook.remove()
            tell(notes)


def why_nothing(noted):
    """Why no trace was written, of the kinds of notes that the recorder has left."""
    if "problem" in noted:
        return "the reason is above"
    if "passed_over" in noted and "step" not in noted:
        return ("a DataLoader gave batches, but this process has made an optimizer, so that a step ends only where one steps, "
                "and none did; run a loop without an optimizer in a fresh process (a notebook: restart its kernel)")
    return "no optimizer stepped and no DataLoader gave a batch often enough"


def tell(notes):
    for note in notes:
        if note["what"] == "problem":
            print(f"tuneproof: {note['sentence']}", file=sys.stderr)
    traces = [note["file"] for note in notes if note["what"] == "trace"]
    if not traces:
        print(f"tuneproof: nothing was recorded: {why_nothing({note['what'] for note in notes})}", file=sys.stderr)
        return
    said = subprocess.run([str(_program.PROGRAM), "diagnose", traces[-1]], text=True, capture_output=True, check=False)
    print(said.stdout + said.stderr, end="")
