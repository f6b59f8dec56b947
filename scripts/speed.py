"""What the scripts share that time a training step here and in Python's PyTorch, in turns, and print a table."""

import argparse
import os
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The heap that our program has: freed memory stays with the process (harness/machine/available_memory.cpp).
KEEPS_MEMORY = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(2**62)}


class Failure(Exception):
    """One sentence for the user."""


def said_by(command, threads, **more):
    command = [str(part) for part in command]
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), MKL_NUM_THREADS=str(threads), **more)
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Failure(f"{command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1]
        raise Failure(f"{' '.join(command[:3])} ended with {done.returncode}: {last}")
    return done.stdout


def commit():
    return said_by(["git", "-C", ROOT, "describe", "--always", "--dirty", "--abbrev=7"], 1).strip()


def processor():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.machine()
    names = [line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()


def in_turns(commands, turns, what=""):
    """Each form once in each turn: (form, command)."""
    for turn in range(turns):
        for form, command in commands.items():
            print(f"{what}{' '.join(form)}, turn {turn + 1} of {turns}", file=sys.stderr)
            yield form, command


def parser_of(text, program, python, threads=os.cpu_count()):
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the table into its page")
    parser.add_argument("--threads", type=int, default=threads)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / program)
    parser.add_argument("--python", default=sys.executable, help=f"a Python with {python}")
    return parser


def show(arguments, page, text_of):
    """Prints and writes what `text_of` makes of the commit: files that change while it measures are no part of it."""
    try:
        text = text_of(commit())
    except Failure as failure:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {failure}.")
    print(text, end="")
    if arguments.write:
        page.write_text(text, encoding="utf-8")
