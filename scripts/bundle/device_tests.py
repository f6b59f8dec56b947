"""Runs tests of Catch2 programs and keeps each one's outcome as it ends; called again it runs those that have none.

Usage: device_tests.py --out DIR [--tool COMMAND] PROGRAM SPEC [PROGRAM SPEC...]

After a failure the program is started anew for the tests that are left: an error of CUDA that sticks to a process fails no
other test. DIR/PROGRAM.N.outcomes has Catch2's own lines: ":test-result: PASS name", or FAIL, or SKIP. A test that was
running when this was interrupted has none. --tool is put before each program, say "compute-sanitizer --tool memcheck".

Exit code 0: no test failed. 1: one did, or there is none. 130: interrupted.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import time

import outcomes

PATIENCE = 180.0  # seconds without an outcome, after which a test counts as hung
GLANCE = 0.1  # seconds between looks at a program that runs
LISTING = 120  # seconds: under a tool LibTorch is slow to load
INTERRUPTED = 130


def die_with_parent() -> None:
    """In a child. Ctrl-C would be noted as a failure of the test that runs."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def listed(program: str, spec: str) -> list[str]:
    said = subprocess.run([program, "--list-tests", "--verbosity", "quiet", "--allow-running-no-tests", spec],
                          capture_output=True, text=True, timeout=LISTING, check=False)
    if said.returncode != 0:
        raise SystemExit(f"tuneproof: {program} does not list its tests: {(said.stderr or said.stdout).strip()[-300:]}")
    return [line.strip() for line in said.stdout.splitlines() if line.strip()]


def without(spec: str, names: list[str]) -> str:
    """Catch2's words for the tests of `spec`, a tag or a name in quotes, but these."""
    for letter in ('\\', '"', ","):
        names = [name.replace(letter, "\\" + letter) for name in names]
    return spec + "".join(f'~"{name}"' for name in names)


class Program:
    """One test program. `out` takes the outcomes, `tool` is put before it."""

    def __init__(self, program: str, spec: str, out: pathlib.Path, tool: list[str]):
        self.program, self.spec, self.out, self.tool = program, spec, out, tool
        self.name = pathlib.Path(program).name
        self.child: subprocess.Popen | None = None

    def ended(self) -> set[str]:
        return {test for file in self.out.glob(f"{self.name}.*.outcomes") for _, test in outcomes.lines(file)}

    def run(self) -> int:
        """Starts the program until every test has an outcome; how many tests there are."""
        tests = listed(self.program, self.spec)
        while any(test not in self.ended() for test in tests):
            had = [test for test in tests if test in self.ended()]
            file = self.out / f"{self.name}.{len(list(self.out.glob(f'{self.name}.*.outcomes'))) + 1}.outcomes"
            code, why = self.start(file, without(self.spec, had))
            self.judge(file, tests, code, why)
        return len(tests)

    def start(self, file: pathlib.Path, spec: str) -> tuple[int, str]:
        """Its exit code, and why it was ended where it was."""
        file.touch()
        command = [*self.tool, self.program, "--abort", "--durations", "yes", "--reporter", "console", "--reporter",
                   f"automake::out={file}", spec]
        print(f"== {' '.join(command[:-1])}, {spec.count('~')} tests have ended", flush=True)
        self.child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True,
                                      preexec_fn=die_with_parent)
        size, since = 0, time.monotonic()
        while self.child.poll() is None:
            time.sleep(GLANCE)
            if file.stat().st_size != size:
                size, since = file.stat().st_size, time.monotonic()
            if time.monotonic() - since > PATIENCE:
                self.kill()
                return self.child.wait(), f"no outcome within {PATIENCE:.0f} s"
        return self.child.returncode, ""

    def judge(self, file: pathlib.Path, tests: list[str], code: int, why: str) -> None:
        """Notes what the program itself did not: the test in which it died, errors that a tool reported."""
        new = dict((test, word) for word, test in outcomes.lines(file))
        left = [test for test in tests if test not in self.ended()]
        with file.open("a") as out:
            if left and "FAIL" not in new.values():
                out.write(outcomes.line("FAIL", left[0]))
                print(f"== {left[0]}: {why or f'{self.name} ended with {code} before it'}", flush=True)
            elif self.tool and code != 0 and "FAIL" not in new.values():
                out.write(outcomes.line("FAIL", f"{pathlib.Path(self.tool[0]).name} on {self.name}"))

    def kill(self) -> None:
        if self.child and self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGKILL)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="device_tests.py", usage=__doc__.split("\n\n")[1])
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--tool", type=shlex.split, default=[])
    parser.add_argument("programs", nargs="+")
    given = parser.parse_args()
    if len(given.programs) % 2 != 0:
        parser.error("expected a SPEC behind each PROGRAM")
    return given


def main() -> int:
    given = arguments()
    words = given.programs
    programs = [Program(*pair, given.out, given.tool) for pair in zip(words[::2], words[1::2])]
    try:
        tests = sum(program.run() for program in programs)
    except KeyboardInterrupt:
        for program in programs:
            program.kill()
        return INTERRUPTED
    failed = outcomes.failed_tests(given.out)
    print(f"== {tests} tests, {len(failed)} failed" + "".join(f"\n== FAILED {name}" for name in failed), flush=True)
    return 1 if failed or tests == 0 else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
