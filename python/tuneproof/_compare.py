"""tuneproof.compare(): two callables, measured and judged as the steps of tuneproof are."""

import dataclasses
import inspect
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from . import _pair
from ._program import VERDICTS, figures, written_at


@dataclasses.dataclass(frozen=True)
class Comparison:
    """The verdict on a pair: the change of the time from naive to optimized, with its interval, as shares."""
    verdict: str               # helps, hurts, no effect, cannot tell, failed
    change: float | None       # -0.25: a quarter less
    low: float | None
    high: float | None
    naive_seconds: float | None
    optimized_seconds: float | None
    reason: str                # why it failed, or what disturbed it; CPU time where only that can tell
    results: dict              # the whole results file

    def __str__(self):
        if self.change is None:
            return f"{self.verdict}: {self.reason}"
        shares = [f"{100 * share:+.1f}" for share in (self.change, self.low, self.high)]
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.verdict}: {shares[0]} % [{shares[1]}, {shares[2]}]{reason}"


def place_of(callable_):
    """Where a fresh process finds it. Raises ValueError where none can."""
    name = getattr(callable_, "__qualname__", None)
    module = inspect.getmodule(callable_)
    if name is None or "<" in name or module is None:
        raise ValueError(f"{name or callable_!r} cannot be found by a fresh process; define it at the top of a module")
    file = getattr(module, "__file__", None)
    if module.__name__ == "__main__" and file is None:
        raise ValueError(f"{name} was typed into an interpreter, where a fresh process cannot find it; put it into a module")
    spec = getattr(module, "__spec__", None)
    by_file = module.__name__ == "__main__" and spec is None
    return {"module": spec.name if spec else module.__name__, "file": os.path.abspath(file) if by_file else None,
            "name": name}


def checked_tolerance(tolerance):
    """A tolerance that can be missed. Raises ValueError: with 1 or more, a form that computes nothing but zeros would pass."""
    if not isinstance(tolerance, (int, float)) or not 0 <= tolerance < 1:
        raise ValueError(f"compare(): tolerance={tolerance!r} cannot be used; give a number from 0 (equal bits) to below 1, "
                         "as a share of the largest number")
    return float(tolerance)


def word(text):
    return re.sub(r"[^a-z0-9_]", "_", text.lower())


def specification_of(naive, optimized, tolerance, folder):
    forms = {"naive": place_of(naive), "optimized": place_of(optimized)}
    names = [forms[form]["name"] for form in ("naive", "optimized")]
    home = pathlib.Path(forms["naive"]["file"] or forms["naive"]["module"]).stem
    return {**forms, "id": f"{word(home)}/{word(names[0])}_{word(names[1])}",
            "claim": f"{names[1]} takes less time than {names[0]}.", "tolerance": checked_tolerance(tolerance),
            "tolerance_why": "as given to compare()" if tolerance else "", "worker": str(folder / "worker")}


def compare(naive, optimized, *, tolerance=0.0, threads=None, looks=None, pairs=1, json_file=None, quiet=False):
    """Shows that both callables return the same, measures them in fresh processes, and judges the change.

    Both take no arguments, return what they compute, and live in a module that a fresh process can import. Numbers are
    compared as FP32 within `tolerance`, a share of the largest below 1; 0 asks for equal bits. `threads`, `looks` and `pairs`
    are those of `tuneproof run`, and so is what happens without them; `json_file` keeps the results file. On a CUDA device that torch uses, each call is
    waited for.
    """
    if os.environ.get(_pair.IN_A_WORKER):
        raise RuntimeError('compare() was called while its module was imported to be measured; put it under '
                           '`if __name__ == "__main__":`')
    with tempfile.TemporaryDirectory(prefix="tuneproof-pair") as made:
        folder = pathlib.Path(made)
        specification = folder / "pair.json"
        specification.write_text(json.dumps(specification_of(naive, optimized, tolerance, folder)))
        command = [sys.executable, "-c", _pair.START, str(specification)]
        worker = folder / "worker"
        worker.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        worker.chmod(0o700)
        kept = pathlib.Path(json_file) if json_file else folder / "results.json"
        options = ["--pairs", str(pairs), *(["--looks", str(looks)] if looks else []),
                   *(["--threads", str(threads)] if threads else [])]
        before = written_at(kept)
        ran = subprocess.run([*command, "run", "--json", str(kept), *options], text=True,
                             env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE if quiet else None)
        if written_at(kept) == before:
            raise RuntimeError((ran.stderr or f"the measurement ended with {ran.returncode}").strip())
        return judged(json.loads(kept.read_text()))


def judged(results):
    measured = results["tuneproof"]
    if measured["errors"]:
        error = measured["errors"][0]
        return Comparison(error["verdict"], None, None, None, None, None, error["message"], results)
    row = measured["pairs"][0]
    result = row["result"]
    return Comparison(VERDICTS.get(result["verdict"], result["verdict"]), *figures(row),
                      ", ".join([*result["flags"], *told_by_cpu_time(result)]), results)


def told_by_cpu_time(result):
    """What other work cannot hide, where the clock cannot tell."""
    cpu = result.get("cpu_time") or {}
    if result["verdict"] != "inconclusive" or cpu.get("verdict") not in ("helps", "hurts"):
        return []
    change, low, high = (f"{100 * (ratio - 1):+.1f}" for ratio in (cpu["ratio"], *cpu["ratio_ci"]))
    return [f"by CPU time it {cpu['verdict']}: {change} % [{low}, {high}]"]
