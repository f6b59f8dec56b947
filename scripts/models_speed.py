#!/usr/bin/env python3
"""Measures a training step of ResNet-50, the GPT and the U-Net in each form here and in Python's own PyTorch.

  scripts/models_speed.py             measures and prints a table
  scripts/models_speed.py --write     also writes it to results/models_speed.md
  scripts/models_speed.py gpt --steps 30 --no-compile

One run, one machine, the same model, batch, data path, threads and precision; Python's eager form does what the naive
form here does. Needs build/models_step_cost (`ninja -C build models_step_cost`) and, for Python's rows, a Python with the
same PyTorch (--python).
"""

import argparse
import os
import pathlib
import platform
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "results/models_speed.md"
MODELS = ["resnet50", "gpt", "unet"]
PYTHON_FORMS = ["eager", "channels_last", "fused", "bf16", "compile", "compile_bf16", "compile_all", "compile_all_bf16"]
# Those that also run with the heap that our program has: freed memory stays with the process (harness/machine/heap.cpp).
KEPT_FORMS = ["eager", "compile_bf16", "compile_all_bf16"]
KEPT = "Python, memory kept"
KEEPS_MEMORY = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(2**62)}


class Failure(Exception):
    """One sentence for the user."""


def lines_of(command, threads, **more):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), MKL_NUM_THREADS=str(threads), **more)
    try:
        done = subprocess.run([str(part) for part in command], env=environment, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Failure(f"{command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1]
        raise Failure(f"{' '.join(str(part) for part in command[:3])} ended with {done.returncode}: {last}")
    return done.stdout.split()


def commands(model, arguments):
    """{(who, form): the command that times it}"""
    here = {("here", form): [arguments.program, model, form] for form in lines_of([arguments.program, model], 1)}
    script = ROOT / "scripts/models_python.py"
    python = {("Python", form): [arguments.python, script, model, form] for form in PYTHON_FORMS
              if not (form == "channels_last" and model == "gpt" or form.startswith("compile") and arguments.no_compile)}
    kept = {(KEPT, form): command for (_, form), command in python.items() if form in KEPT_FORMS}
    return {**here, **python, **kept}


def rows(arguments):
    """(model, who, form, seconds of all steps, seconds of the first step of the first process)"""
    for model in arguments.models or MODELS:
        of_model = commands(model, arguments)
        steps = {key: [] for key in of_model}
        first = {}
        for turn in range(arguments.turns):
            for key, command in of_model.items():
                print(f"{model}: {' '.join(key)}, turn {turn + 1} of {arguments.turns}", file=sys.stderr)
                heap = KEEPS_MEMORY if key[0] == KEPT else {}
                seconds = [float(line) for line in lines_of([*command, arguments.steps], arguments.threads, **heap)]
                first.setdefault(key, seconds[0])
                steps[key] += seconds[1:]
        for key, seconds in steps.items():
            yield model, *key, sorted(seconds), first[key]


def commit():
    said = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=7"], cwd=ROOT, capture_output=True, text=True,
                          check=True)
    return said.stdout.strip()


def table(measured, begun_at, arguments):
    lines = ["# A training step of ResNet-50, the GPT and the U-Net, here and in Python's PyTorch", "",
             f"Written by `scripts/models_speed.py` at commit {begun_at}: {arguments.threads} threads of {processor()}. "
             f"Each form has a process of its own, {arguments.turns} times, in turns with the others; "
             f"{arguments.steps} steps each. \"Times naive\" compares the shortest steps of a form and of our naive one. "
             "The first step stands apart: Python's compiler works in it, and finds in its cache what an earlier run left there. "
             "Ours has written its package before. "
             "Our program keeps freed memory instead of giving it back to the system (`cpu/malloc`). \"Python\" has the C library's "
             "own heap, as its users have it, and \"Python, memory kept\" ours. Python's `compile` takes the model alone, and "
             "`compile_all` the loss and the update too; ours takes the whole step.", "",
             "| model | who | form | shortest ms | median ms | longest ms | times naive | first step s |",
             "|---|---|---|---:|---:|---:|---:|---:|"]
    naive = {model: seconds[0] for model, who, form, seconds, _ in measured if (who, form) == ("here", "naive")}
    for model, who, form, seconds, first in measured:
        lines.append(f"| {model} | {who} | {form} | {1e3 * seconds[0]:.1f} | {1e3 * statistics.median(seconds):.1f} "
                     f"| {1e3 * seconds[-1]:.1f} | {naive[model] / seconds[0]:.2f} | {first:.2f} |")
    return "\n".join(lines + best_against_best(measured)) + "\n"


def best_against_best(measured):
    """Each side's form with the shortest step, in any precision."""
    best = {}
    for model, who, form, seconds, _ in measured:
        side, name = (who, form) if who != KEPT else ("Python", f"{form}, memory kept")
        best[model, side] = min(best.get((model, side), (seconds[0], name)), (seconds[0], name))
    lines = ["", "The form with the shortest step on each side, in any precision:", "",
             "| model | here | ms | Python | ms | times Python's best |", "|---|---|---:|---|---:|---:|"]
    for model in dict.fromkeys(row[0] for row in measured):
        (ours, form), (theirs, their_form) = best[model, "here"], best[model, "Python"]
        lines.append(f"| {model} | {form} | {1e3 * ours:.1f} | {their_form} | {1e3 * theirs:.1f} | {theirs / ours:.2f} |")
    return lines


def processor():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.machine()
    names = [line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", choices=[[], *MODELS], metavar="MODEL")
    parser.add_argument("--write", action="store_true", help="write results/models_speed.md")
    parser.add_argument("--turns", type=int, default=3, help="processes of each form")
    parser.add_argument("--steps", type=int, default=10, help="steps in a process, after the first")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/models_step_cost")
    parser.add_argument("--python", default=sys.executable, help="a Python with PyTorch")
    parser.add_argument("--no-compile", action="store_true", help="leave torch.compile out")
    arguments = parser.parse_args()
    try:
        begun_at = commit()  # files that change while it measures are no part of it
        text = table(list(rows(arguments)), begun_at, arguments)
    except Failure as failure:
        sys.exit(f"models_speed.py: {failure}.")
    print(text, end="")
    if arguments.write:
        TABLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
