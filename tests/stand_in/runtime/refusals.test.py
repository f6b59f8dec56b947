"""Every call of CUDA's runtime that a program's tests make is refused once: the error must be said, without a crash or a hang.

A call whose error nobody looks at goes unnoticed, or shows as a wrong answer only. Each test runs alone, as often as it
makes calls.
Usage: refusals.test.py PRELOAD PROGRAM [TESTS, as Catch2 selects them]
"""

import os
import re
import subprocess
import sys
import time

# Their failure costs a word in a message; the device is used nevertheless.
OPTIONAL = {"cudaDriverGetVersion", "cudaRuntimeGetVersion", "cudaGetDeviceProperties"}
# Tests that provoke this very error: the refusal looks the same.
PROVOKED = {("more device memory than there is is asked for in vain", "cudaMalloc"),
            ("an error that was thrown is not the next launch's", "cudaMalloc")}
MOST_SECONDS = 60


def run(preload, command, number):
    """The refused call and its error (None where the program makes fewer calls), the exit code and all other words."""
    environment = dict(os.environ, LD_PRELOAD=preload, STAND_IN_PROFILE="refuses", STAND_IN_REFUSE=str(number))
    ended = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           timeout=MOST_SECONDS)
    refused = re.search(r"^stand-in: call \d+, (.+), is refused with (\w+)$", ended.stdout, re.M)
    words = "\n".join(line for line in ended.stdout.splitlines() if not line.startswith("stand-in:"))
    return refused and refused.groups(), ended.returncode, words


def is_said(error, words):
    """By its name, or in a sentence of ours on what could not be had."""
    return error in words or "SKIPPED" in words or "page-locked memory, which the system refuses" in words


def names_of(program, selection):
    listed = subprocess.run([program, *selection, "--list-tests", "--verbosity", "quiet"], text=True,
                            stdout=subprocess.PIPE, check=True, timeout=MOST_SECONDS)
    return [line.strip() for line in listed.stdout.splitlines() if line.strip()]


def refuse_each(preload, program, name):
    """How many calls the test makes, and what was said too badly."""
    command = [program, re.sub(r"([\\,\[\]*~])", r"\\\1", name)]
    failures = []
    number = 0
    while True:
        refused, code, words = run(preload, command, number + 1)
        if refused is None:
            return number, failures
        number += 1
        call, error = refused
        unsaid = call not in OPTIONAL and (name, call) not in PROVOKED and not is_said(error, words)
        if code < 0 or code >= 128 or unsaid:
            failures.append(f"{name}: call {number}, {call}, was refused with {error}, and the program ended with {code}:\n{words}")


def main():
    preload, program, *selection = sys.argv[1:]
    count, failures = 0, []
    for name in names_of(program, selection):
        begin = time.monotonic()
        calls, bad = refuse_each(preload, program, name)
        print(f"{calls:5} calls {time.monotonic() - begin:6.1f} s  {name}", flush=True)
        count += calls
        failures += bad
    print("\n".join(failures))
    print(f"{count} calls were refused, {len(failures)} of them badly reported")
    sys.exit(0 if count > 0 and not failures else 1)


if __name__ == "__main__":
    main()
