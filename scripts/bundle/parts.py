"""What run-here.sh everything does, in order of worth: each part is one command with an end."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from dataclasses import dataclass
from typing import Callable, Optional

HERE = pathlib.Path(__file__).resolve().parent
RUN = str(HERE / "run-here.sh")
TRACED = "wait=1,warmup=1,active=1"  # enough for an op table, and a trace of some megabytes


@dataclass(frozen=True)
class Machine:
    """What decides which parts there are."""
    commit: str
    gpu: str  # "ok", or why no CUDA device can be used

    def without_gpu(self) -> Optional[str]:
        return None if self.gpu == "ok" else self.gpu


@dataclass(frozen=True)
class Part:
    """A command that is run in a folder of its own. `skip` says why it cannot run here; `command` gets that folder and
    the seconds it has. One that `resumes` goes on where it was cut; another one is begun anew, twice at most."""
    name: str
    about: str
    least: int  # seconds; with fewer left it waits for the next call
    most: int  # seconds of one try
    command: Callable[[pathlib.Path, float], list[str]]
    skip: Callable[[Machine], Optional[str]] = lambda machine: None
    resumes: bool = False
    fine: tuple[int, ...] = (0,)  # exit codes that are no failure


def answer(*command: str) -> subprocess.CompletedProcess:
    """In a session of its own: a Ctrl-C at the terminal would have it answer wrongly."""
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              check=False, start_new_session=True)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"tuneproof: no answer in two minutes: {' '.join(command)}")


def ask_machine() -> Machine:
    said = answer(RUN, "--version")
    if said.returncode != 0:
        raise SystemExit(said.stderr.strip() or "tuneproof: the program does not start")
    commit = said.stdout.split("(", 1)[-1].split(")", 1)[0]
    probe = answer(RUN, "--", "./tuneproof-worker", "--probe", "cuda:0")
    try:
        cuda = json.loads(probe.stdout)["cuda"]
        return Machine(commit, "ok" if cuda["status"] == "ok" else cuda["message"] or cuda["status"])
    except (ValueError, KeyError, TypeError):
        lines = probe.stderr.strip().splitlines()
        raise SystemExit(lines[-1] if lines else "tuneproof: the worker does not answer") from None


def results(*arguments: str) -> Callable[[pathlib.Path, float], list[str]]:
    """A `run` whose file is there after a first try goes on with it."""
    def command(folder: pathlib.Path, seconds: float) -> list[str]:
        if (folder / "results.json").exists():
            return [RUN, "run", "--resume", "results.json"]
        return [RUN, "run", *arguments, "--json", "results.json"]
    return command


def plain(*arguments: str) -> Callable[[pathlib.Path, float], list[str]]:
    return lambda folder, seconds: list(arguments)


def selftest(folder: pathlib.Path, seconds: float) -> list[str]:
    """A session is never cut short by its budget, so it gets a third of the time: the last one may begin late."""
    return [RUN, "selftest", "--budget", f"{max(1, int(seconds / 3))}s", "--json", "selftest.json"]


def sanitizer() -> Optional[str]:
    found = shutil.which("compute-sanitizer")
    beside = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "bin/compute-sanitizer"
    return found or (str(beside) if beside.exists() else None)


def sanitized(tool: str) -> Callable[[pathlib.Path, float], list[str]]:
    return plain(RUN, "--", sanitizer() or "compute-sanitizer", "--tool", tool, "--error-exitcode", "9",
                 "tests/tests_gpu")


def no_sanitizer(machine: Machine) -> Optional[str]:
    return machine.without_gpu() or (None if sanitizer() else "there is no compute-sanitizer")


def no_prices(machine: Machine) -> Optional[str]:
    known = answer(RUN, "prices", "--help").returncode == 0
    return None if known else "this program has no command prices"


def all_parts(machine: Machine) -> list[Part]:
    no_gpu = Machine.without_gpu
    without_gpu = machine.without_gpu()
    ladder = Part("ladder", "STGym, every rung and point", 20, 240,
                  results("stgym/*", "--device", "cuda", "--scale", "1"), resumes=True)
    # The quick suite has the published rungs already, and an epoch takes a CPU twice as long as a step.
    rungs = Part("ladder", "a training step of STGym, every rung (scaled down: no GPU)", 20, 240,
                 results("stgym/*/unit:step/device:cpu"), resumes=True)
    return [
        Part("doctor", "is it fit to measure on", 5, 60, plain(RUN, "doctor", "--json")),
        Part("nvidia-smi", "the driver's own words", 5, 60, plain("nvidia-smi", "-q"),
             lambda m: None if shutil.which("nvidia-smi") else "there is no nvidia-smi"),
        Part("gpu-tests", "the tests that need a GPU", 10, 180, plain(RUN, "tests", "[gpu]"), no_gpu),
        Part("suite", "the quick suite", 20, 300, results("--suite", "quick"), resumes=True),
        *([] if without_gpu else [ladder]),
        Part("prices", "what copies, launches and the like cost", 20, 240,
             plain(RUN, "prices", "--benchmark_out=prices.json", "--benchmark_out_format=json"), no_prices),
        Part("traces", "STGym's loop under the profiler, both forms", 15, 180,
             plain(RUN, "profile", "stgym/end_to_end", "--schedule", TRACED, "--out", ".")),
        *([rungs] if without_gpu else []),
        Part("selftest", "how often verdicts are wrong here", 150, 300, selftest, fine=(0, 4)),
        Part("memcheck", "the GPU tests under memcheck", 10, 180, sanitized("memcheck"), no_sanitizer),
        Part("racecheck", "the GPU tests under racecheck", 10, 180, sanitized("racecheck"), no_sanitizer),
    ]
