#!/usr/bin/env python3
"""Measures a training step of GraphSAGE on sampled neighbors here and in PyTorch Geometric.

  scripts/sage_speed.py --python PYTHON             measures and prints a table
  scripts/sage_speed.py --python PYTHON --write     also writes it to results/sage_speed.md

One run, one machine, the same graph, batch, fan-outs, threads and precision, on the CPU. Needs build/sage_step_cost
(`ninja -C build sage_step_cost`) and a Python with PyTorch, torch_geometric and torch-sparse. scripts/sage_python.py has the
forms there.
"""

import json
import os
import statistics
import tempfile

from speed import KEEPS_MEMORY, ROOT, in_turns, parser_of, processor, said_by, show

TABLE = ROOT / "results/sage_speed.md"
SCRIPT = ROOT / "scripts/sage_python.py"
HERE, PYG, KEPT = "here", "PyG", "PyG, memory kept"
FORMS_OF_PYG = ["loader", "loader_csr", "sampler"]
PARTS = ["sample", "gather", "train"]
# Layers see the whole sample, here and there.
UNTRIMMED = {HERE: ["untrimmed"], PYG: ["loader", "loader_csr"]}


def commands(arguments):
    """{(who, form): (command, more environment)}"""
    here = {(HERE, form): ([arguments.program, form], {}) for form in said_by([arguments.program], 1).split()}
    return here | {(who, form): ([arguments.python, "-B", SCRIPT, form], heap)
                   for form in FORMS_OF_PYG for who, heap in ((PYG, {}), (KEPT, KEEPS_MEMORY))}


def measure(folder, arguments):
    """{(who, form): {part: its seconds in all steps}}"""
    all_seconds = {}
    what = [folder, arguments.batch, arguments.workers, arguments.steps]
    for key, (command, more) in in_turns(commands(arguments), arguments.turns):
        said = json.loads(said_by([*command, *what], arguments.threads, **more))
        of_form = all_seconds.setdefault(key, {})
        for part in PARTS + ["ahead"]:
            of_form[part] = of_form.get(part, []) + said.get(part, [])
        of_form["nodes"] = said["nodes"]
    for of_form in all_seconds.values():
        of_form["step"] = [sum(parts) for parts in zip(*(of_form[part] for part in PARTS))]
    return all_seconds


def cell(seconds):
    """In milliseconds: the median, and from the shortest to the longest."""
    if not seconds:
        return ""
    return f"{1e3 * statistics.median(seconds):.1f} ({1e3 * min(seconds):.1f} to {1e3 * max(seconds):.1f})"


def table(measured, begun_at, load, arguments):
    lines = ["# A training step of GraphSAGE on sampled neighbors, here and in PyTorch Geometric", "",
             f"Written by `scripts/sage_speed.py` at commit {begun_at}: {arguments.threads} threads of {processor()}. A drawn graph "
             f"of {arguments.scale} times ogbn-products' size, batches of {arguments.batch} seeds, fan-outs 15, 10 and 5, 256 hidden "
             f"features, FP32, fused Adam (our naive form has LibTorch's own). Each form has a process of its own, "
             f"{arguments.turns} times, in turns with the others; {arguments.steps} steps each, behind one that is not counted. "
             "Cells are milliseconds: the median, and the shortest to the longest. A step is the sum of its parts, one behind the "
             f"other. With workers ({arguments.workers}) it is the mean of a process's steps; ours has the workers' start in it, "
             f"PyTorch Geometric's does not. The load average was {load:.1f} before and {os.getloadavg()[0]:.1f} after; what is above the "
             "threads is other programs' work.", "",
             "`loader` is NeighborLoader with SAGEConv on its edges; `loader_csr` turns each batch into a sparse tensor (in the "
             "column of the gather); `sampler` is the older NeighborSampler with sparse tensors, which gives a layer only the nodes "
             "that it needs: its sample differs a little, since it draws for a node's earlier hops again. torch-sparse is the sampler "
             "of all three. NeighborLoader's own trimming needs pyg-lib, which is not measured. Our `untrimmed` form gives each node "
             "of the sample a row in each layer, but multiplies no means of the last hop's nodes, which are zero; PyTorch Geometric "
             "multiplies them. \"Memory kept\" is the C library's heap as our program sets it (`cpu/malloc`).", "",
             "| who | form | nodes | sample | gather | train | step | with workers |", "|---|---|---:|---:|---:|---:|---:|---:|"]
    for (who, form), parts in measured.items():
        cells = [cell(parts[part]) for part in [*PARTS, "step", "ahead"]]
        lines.append(f"| {who} | {form} | {parts['nodes']:,} | {' | '.join(cells)} |")
    return "\n".join(lines + beside(measured)) + "\n"


def shortest(measured, is_ours, parts, forms=None):
    """(median seconds, name) of the side's shortest."""
    found = [(statistics.median(seconds), f"{form}, {who}" if who != HERE else form)
             for (who, form), of_form in measured.items()
             if (who == HERE) == is_ours and (forms is None or form in forms)
             for part in parts if (seconds := of_form[part])]
    return min(found)


def beside(measured):
    """Like beside like, best beside best, sampler beside sampler; each side's shortest median."""
    either = ["step", "ahead"]
    pairs = [("step, all layers on the whole sample", either, UNTRIMMED[HERE], UNTRIMMED[PYG]),
             ("step, any form", either, None, None),
             ("sampling alone", ["sample"], None, None)]
    lines = ["", "Each side's shortest median:", "",
             "| what | here | ms | PyG | ms | of PyG's time |", "|---|---|---:|---|---:|---:|"]
    for what, parts, ours, theirs in pairs:
        (own, form), (other, their_form) = shortest(measured, True, parts, ours), shortest(measured, False, parts, theirs)
        lines.append(f"| {what} | {form} | {1e3 * own:.1f} | {their_form} | {1e3 * other:.1f} | {own / other:.2f} |")
    return lines


def text_of(begun_at, arguments):
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        said_by([arguments.python, "-B", SCRIPT, "draw", folder, arguments.scale], arguments.threads)
        return table(measure(folder, arguments), begun_at, load, arguments)


def main():
    parser = parser_of(__doc__, "sage_step_cost", "PyTorch Geometric")
    parser.add_argument("--turns", type=int, default=2, help="processes of each form")
    parser.add_argument("--steps", type=int, default=8, help="steps in a process, after the first")
    parser.add_argument("--scale", type=float, default=1 / 8, help="of ogbn-products' nodes and edges")
    parser.add_argument("--batch", type=int, default=128, help="seeds")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    show(arguments, TABLE, lambda begun_at: text_of(begun_at, arguments))


if __name__ == "__main__":
    main()
