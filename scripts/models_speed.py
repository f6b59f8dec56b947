#!/usr/bin/env python3
"""Measures a training step of ResNet-50, the GPT and the U-Net in each form here and in Python's own PyTorch.

  scripts/models_speed.py             measures and prints a table
  scripts/models_speed.py --write     also writes it to results/models_speed.md
  scripts/models_speed.py gpt --steps 30 --no-compile

One run, one machine, the same model, batch, data path, threads and precision; Python's eager form does what the naive
form here does. Needs build/models_step_cost (`ninja -C build models_step_cost`) and, for Python's rows, a Python with the
same PyTorch (--python).
"""

import statistics

from speed import KEEPS_MEMORY, ROOT, in_turns, parser_of, processor, said_by, show

TABLE = ROOT / "results/models_speed.md"
MODELS = ["resnet50", "gpt", "unet"]
PYTHON_FORMS = ["eager", "channels_last", "fused", "bf16", "compile", "compile_bf16", "compile_all", "compile_all_bf16"]
# Those that also run with the heap that our program has.
KEPT_FORMS = ["eager", "compile_bf16", "compile_all_bf16"]
KEPT = "Python, memory kept"


def commands(model, arguments):
    """{(who, form): the command that times it}"""
    here = {("here", form): [arguments.program, model, form] for form in said_by([arguments.program, model], 1).split()}
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
        for key, command in in_turns(of_model, arguments.turns, f"{model}: "):
            heap = KEEPS_MEMORY if key[0] == KEPT else {}
            seconds = [float(line) for line in said_by([*command, arguments.steps], arguments.threads, **heap).split()]
            first.setdefault(key, seconds[0])
            steps[key] += seconds[1:]
        for key, seconds in steps.items():
            yield model, *key, sorted(seconds), first[key]


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


def main():
    parser = parser_of(__doc__, "models_step_cost", "PyTorch")
    parser.add_argument("models", nargs="*", choices=[[], *MODELS], metavar="MODEL")
    parser.add_argument("--turns", type=int, default=3, help="processes of each form")
    parser.add_argument("--steps", type=int, default=10, help="steps in a process, after the first")
    parser.add_argument("--no-compile", action="store_true", help="leave torch.compile out")
    arguments = parser.parse_args()
    show(arguments, TABLE, lambda begun_at: table(list(rows(arguments)), begun_at, arguments))


if __name__ == "__main__":
    main()
