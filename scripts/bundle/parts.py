"""What a part of run-here.sh everything is: one command with an end, in a folder of its own."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import Callable, Optional, Union

import measured
import outcomes

HERE = pathlib.Path(__file__).resolve().parent
RUN = str(HERE / "run-here.sh")
Command = Callable[[pathlib.Path, float], Union[list[str], str]]


@dataclass(frozen=True)
class Machine:
    """What decides which parts there are, and how long they may take."""
    commit: str
    gpu: str  # "ok", or why no CUDA device can be used
    multiprocessors: int = 0
    kind: str = ""  # the GPU's name
    cards: tuple[str, ...] = ()  # the uuid of each GPU, as the driver knows it

    def without_gpu(self) -> Optional[str]:
        return None if self.gpu == "ok" else self.gpu


@dataclass(frozen=True)
class Part:
    """A command that is run in a folder of its own. `skip` says why it cannot run here; `command` gets that folder and
    the seconds it has, and gives words, or a sentence that says why nothing is left to do. One that `resumes` goes on where
    it was cut; another one is begun anew, twice at most. `again` is true where files have each of its rows, if without a verdict."""
    name: str
    about: str
    least: float  # seconds; with fewer left it waits for the next call
    most: float  # seconds of one try
    command: Command
    skip: Callable[[Machine], Optional[str]] = lambda machine: None
    resumes: bool = False
    fine: tuple[int, ...] = (0,)  # exit codes that are not failures
    again: Callable[[], bool] = lambda: False


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
        facts = json.loads(probe.stdout)
        cuda = facts["cuda"]
        gpu = "ok" if cuda["status"] == "ok" else cuda["message"] or cuda["status"]
        device = facts.get("gpu") or {}
        return Machine(commit, gpu, int(device.get("multiprocessors") or 0), str(device.get("name") or ""), cards())
    except (ValueError, KeyError, TypeError):
        lines = probe.stderr.strip().splitlines()
        raise SystemExit(lines[-1] if lines else "tuneproof: the worker does not answer") from None


def cards() -> tuple[str, ...]:
    """The driver's names of the GPUs; none where its tool is missing."""
    if not shutil.which("nvidia-smi"):
        return ()
    said = answer("nvidia-smi", "--query-gpu=uuid", "--format=csv,noheader")
    return tuple(said.stdout.split()) if said.returncode == 0 else ()


def plain(*arguments: str) -> Command:
    return lambda folder, seconds: list(arguments)


def results(what: list[str], how: list[str], known: measured.Measured) -> Command:
    """A `run` of the rows that patterns, suite and points name and `known` lacks. One whose file is there goes on with it."""
    def command(folder: pathlib.Path, seconds: float) -> list[str] | str:
        if (folder / "results.json").exists():
            return [RUN, "run", "--resume", "results.json"]
        listed = listed_rows(*what, *how) if known.rows else []
        left = known.rows_left(listed, measured.scale_of(how))
        if listed and not left:
            return f"{known.folder} has a verdict on each of its rows"
        return [RUN, "run", *(what if left == listed else left), *how, "--json", "results.json"]
    return command


def nothing_new(what: list[str], how: list[str], known: measured.Measured) -> Callable[[], bool]:
    def again() -> bool:
        listed = listed_rows(*what, *how) if known.seen else []
        return bool(listed) and not known.unseen(listed, measured.scale_of(how))
    return again


@functools.cache
def listed_rows(*words: str) -> list[str]:
    """What `run` would measure; none of those that it would skip. Empty where it refuses: then it says why itself."""
    said = answer(RUN, "run", *words, "--dry-run")
    pairs = [line.split("  ", 1) for line in said.stdout.splitlines() if "/" in line.split("  ", 1)[0]]
    return [pair[0] for pair in pairs if len(pair) == 2 and not pair[1].startswith("skipped")]


def literally(name: str) -> str:
    """For Google Benchmark's extended regular expressions, which refuse Python's escapes of ordinary characters."""
    return re.sub(r"[.^$*+?()\[\]{}|\\]", r"\\\g<0>", name)


def prices(rows: str, known: measured.Measured) -> Command:
    """Rows are in the file as they end. A further try takes those that no file has yet, into a file of its own."""
    def command(folder: pathlib.Path, seconds: float) -> list[str] | str:
        had, wanted = {row["name"] for row in outcomes.prices(folder)}, rows
        if had or known.prices:
            listed = answer(RUN, "prices", f"--benchmark_filter={rows}", "--benchmark_list_tests").stdout.split()
            left = [name for name in known.prices_left(listed) if name not in had]
            if listed and not left:
                return "each of its prices is there" if had else f"{known.folder} has each of its prices"
            wanted = rows if left == listed else f"^({'|'.join(map(literally, left))})$"
        number = len(list(folder.glob("prices*.json"))) + 1
        file = "prices.json" if number == 1 else f"prices-{number}.json"
        return [RUN, "prices", f"--benchmark_filter={wanted}", "--benchmark_min_time=0.05", f"--benchmark_out={file}"]
    return command


def peers(what: str, kit: Optional[pathlib.Path], *options: str) -> Command:
    return plain(sys.executable, "-B", str(HERE / "peers/measure.py"), what, "--kit", str(kit), "--out", "peers.jsonl", *options)


def selftest(known: measured.Measured) -> Command:
    """A session is never cut short by its budget, so it gets a third of the time: the last one may begin late."""
    def command(folder: pathlib.Path, seconds: float) -> list[str] | str:
        if known.selftest:
            return f"{known.folder} has a self-test"
        return [RUN, "selftest", "--budget", f"{max(1, int(seconds / 3))}s", "--json", "selftest.json"]
    return command


def sanitizer() -> Optional[str]:
    found = shutil.which("compute-sanitizer")
    beside = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "bin/compute-sanitizer"
    return found or (str(beside) if beside.exists() else None)


def no_sanitizer(machine: Machine) -> Optional[str]:
    return machine.without_gpu() or (None if sanitizer() else "there is no compute-sanitizer")


def tests(specs: list[tuple[str, str]], tool: Optional[list[str]] = None) -> Command:
    """The tests of (program, Catch2's spec), or of every program where no pair is given, each with its outcome as it ends."""
    def command(folder: pathlib.Path, seconds: float) -> list[str]:
        pairs = [word for program, spec in specs for word in (f"tests/{program}", spec)]
        words = ["--tool", shlex.join(tool)] if tool else []
        return [RUN, "--", sys.executable, "-B", str(HERE / "device_tests.py"), "--out", str(folder), *words, *pairs]
    return command


def programs_of_tests() -> list[str]:
    return sorted(path.name for path in (HERE / "tests").glob("*")
                  if path.is_file() and os.access(path, os.X_OK) and path.suffix != ".so"
                  and not path.name.startswith("fake_"))


def no_prices(machine: Machine) -> Optional[str]:
    known = answer(RUN, "prices", "--help").returncode == 0
    return None if known else "this program has no command prices"
