#!/usr/bin/env python3
"""Measures a training step of ResNet-50, the GPT and the U-Net in each form here and in Python's own PyTorch.

  scripts/models_speed.py             measures and prints a table
  scripts/models_speed.py --write     also writes it to results/models_speed.md
  scripts/models_speed.py gpt --repetitions 30 --no-compile

One run, one machine, the same model, batch, data path, threads and precision; Python's eager form does what the naive
form here does. Needs build/models_step_cost (`ninja -C build models_step_cost`) and, for Python's rows, a Python with the
same PyTorch (--python).
"""

import argparse
import os
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "results/models_speed.md"
MODELS = ["resnet50", "gpt", "unet"]
PYTHON_FORMS = ["eager", "channels_last", "fused", "bf16", "compile"]


class Failure(Exception):
    """One sentence for the user."""


def run(command, threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), MKL_NUM_THREADS=str(threads))
    try:
        done = subprocess.run([str(part) for part in command], env=environment, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Failure(f"{command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1]
        raise Failure(f"{' '.join(str(part) for part in command[:3])} ended with {done.returncode}: {last}")
    return [line.split() for line in done.stdout.splitlines()]


def rows(arguments):
    """(model, who, form, shortest, median, longest, first step or None), in seconds."""
    for model in arguments.models:
        for name, form, *seconds in run([arguments.program, model, arguments.repetitions], arguments.threads):
            yield name, "here", form, *map(float, seconds), None
        for form in PYTHON_FORMS:
            if form == "channels_last" and model == "gpt" or form == "compile" and arguments.no_compile:
                continue
            script = ROOT / "scripts/models_python.py"
            for name, _, *seconds in run([arguments.python, script, model, form, arguments.repetitions],
                                         arguments.threads):
                yield name, "Python", form, *map(float, seconds)


def table(measured, arguments):
    commit = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=7"], cwd=ROOT, capture_output=True,
                            text=True, check=True).stdout.strip()
    lines = ["# A training step of ResNet-50, the GPT and the U-Net, here and in Python's PyTorch", "",
             f"Written by `scripts/models_speed.py` at commit {commit}: {arguments.threads} threads of {processor()}, "
             f"{arguments.repetitions} steps of each form. Milliseconds; forms of one program take turns, the programs "
             "run one after the other.", "",
             "| model | who | form | shortest | median | longest | first step |", "|---|---|---|---:|---:|---:|---:|"]
    for model, who, form, shortest, median, longest, first in measured:
        begun = "" if first is None else f"{1e3 * first:.0f}"
        lines.append(f"| {model} | {who} | {form} | {1e3 * shortest:.1f} | {1e3 * median:.1f} | {1e3 * longest:.1f} "
                     f"| {begun} |")
    return "\n".join(lines) + "\n"


def processor():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.machine()
    names = [line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", choices=[[], *MODELS], default=MODELS, metavar="MODEL")
    parser.add_argument("--write", action="store_true", help="write results/models_speed.md")
    parser.add_argument("--repetitions", type=int, default=8)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/models_step_cost")
    parser.add_argument("--python", default=sys.executable, help="a Python with PyTorch")
    parser.add_argument("--no-compile", action="store_true", help="leave torch.compile out")
    arguments = parser.parse_args()
    try:
        text = table(list(rows(arguments)), arguments)
    except Failure as failure:
        sys.exit(f"models_speed.py: {failure}.")
    print(text, end="")
    if arguments.write:
        TABLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
