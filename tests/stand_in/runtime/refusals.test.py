"""Every call of CUDA's runtime that a program makes is refused once: it must say the error, and neither crash nor hang.

A call whose error nobody looks at goes unnoticed, or shows as a wrong answer only.
Usage: refusals.test.py PRELOAD PROGRAM [ARGS]
"""

import os
import re
import subprocess
import sys

# Their failure costs a word in a message; the device is used nevertheless.
OPTIONAL = {"cudaDriverGetVersion", "cudaRuntimeGetVersion", "cudaGetDeviceProperties"}
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
    return error in words or "SKIPPED" in words or "page-locked memory, which the system does not give" in words


def main():
    preload, *command = sys.argv[1:]
    failures = []
    number = 1
    while True:
        refused, code, words = run(preload, command, number)
        if refused is None:
            break
        call, error = refused
        if code < 0 or code >= 128 or (call not in OPTIONAL and not is_said(error, words)):
            failures.append(f"call {number}, {call}, was refused with {error}, and the program ended with {code}:\n{words}")
        number += 1
    print("\n".join(failures))
    print(f"{number - 1} calls were refused, {len(failures)} of them badly reported")
    sys.exit(0 if number > 1 and not failures else 1)


if __name__ == "__main__":
    main()
