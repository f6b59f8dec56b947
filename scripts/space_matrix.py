#!/usr/bin/env python3
"""Which tips hold where: runs the STGym ladder for layers x pooling x task and prints one table.

Each cell is one configuration and one `tuneproof run`; its files lie in --out. A finished cell does not run again, and
an interrupted one continues where it stopped: call the script again with the same --out.

Every rung of the ladder is a row, every cell a column. It shows the verdict (+ helps, - hurts, = no effect, ? cannot
tell) and the change in time that the rung brought, in percent (negative is faster). "." is a rung that has nothing to
change in that model; "failed" is one whose forms disagree or that did not run, and the reason stands below the table.

Examples:
  scripts/space_matrix.py --quick                                      small data, three rungs: checks that it works
  scripts/space_matrix.py --layers gin,sage --tasks node --out m       a part of the matrix
  scripts/space_matrix.py --out m --scale 0.05 -- --looks 3            passes what follows -- to `tuneproof run`
  scripts/space_matrix.py --out m --table                              prints only the table of finished cells
"""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys

from results_files import percent

PROJECT = pathlib.Path(__file__).resolve().parent.parent
LAYERS = {"gin": "ginconv", "gcn": "gcnconv", "sage": "sageconv"}
POOLINGS = ("none", "mincut", "dmon")
TASKS = {"node": "node-classification", "graph": "graph-classification", "cluster": "node-clustering"}
MARKS = {"helps": "+", "hurts": "-", "no_effect": "=", "inconclusive": "?", "invalid": "?"}
# A point on one axis also takes what no suite has of the others: the published rungs against naive.
AGAINST = [part for value in ("below", "host", "resident") for part in ("--point", f"against={value}")]
QUICK_STEPS = ("stgym/device_indices", "stgym/project_first", "stgym/fused_optimizer")


class Failure(Exception):
    pass


def configuration(layer, pooling, task):
    """The benchmark's sizes, with another layer, pooling and task."""
    block = {"layer_type": LAYERS[layer], "dim_inner": 128, "act": "relu", "use_batchnorm": False, "pooling": None}
    if pooling != "none":
        block["pooling"] = {"type": pooling, "n_clusters": 20}
    model = {"mp_layers": [block]}
    kind = {"dataset_name": "synthetic", "type": TASKS[task]}
    if task != "cluster":
        kind["num_classes"] = 39 if task == "node" else 2
        # Behind a ReLU the single logit of two classes could not say "no".
        act = "relu" if task == "node" else "prelu"
        model["post_mp_layer"] = {"dims": [64, 32], "act": act, "use_batchnorm": False}
    return {"task": kind, "data_loader": {"graph_const": "knn", "knn_k": 10, "batch_size": 16}, "model": model,
            "train": {"max_epoch": 2}}


def cells(arguments):
    """Every combination that is one: clusters are what a pooling makes."""
    return [(layer, pooling, task) for task in arguments.tasks for layer in arguments.layers
            for pooling in arguments.pooling if pooling != "none" or task != "cluster"]


def read(path):
    try:
        return json.loads(path.read_text())["tuneproof"]
    except FileNotFoundError:
        return None
    except (json.JSONDecodeError, KeyError, UnicodeDecodeError):
        raise Failure(f"{path}: is not a results file") from None


def finished(results):
    """The last look is done, or nothing can be measured. A row stays open between looks only."""
    return len(results["rounds"]) >= results["session"]["looks"][-1] or not results["pairs"]


def command(arguments, name, results):
    """What measures the cell, or goes on with it."""
    call = [str(arguments.program), "run"]
    limits = ["--budget", arguments.budget] if arguments.budget else []
    file = str(arguments.out / f"{name}.results.json")
    if results is not None:
        return call + ["--resume", file] + limits
    scale = ["--scale", arguments.scale] if arguments.scale else []
    # Each rung in its own unit: steps, or validation passes where evaluation is what it changes.
    rows = [*QUICK_STEPS, "--suite", "quick", "--point", "unit=step"] if arguments.quick else \
        ["stgym/*", "--suite", "full", "--point", "unit=step", "--point", "unit=eval", *AGAINST]
    return call + [*rows, "--config", str(arguments.out / f"{name}.json"), "--json", file, *scale, *limits,
                   *arguments.more]


def run_cell(arguments, cell, place):
    name = "-".join(cell)
    results = read(arguments.out / f"{name}.results.json")
    if results is not None and finished(results):
        print(f"{place} {name}: is there", file=sys.stderr)
        return
    print(f"{place} {name}: {'goes on' if results else 'begins'}", file=sys.stderr, flush=True)
    (arguments.out / f"{name}.json").write_text(json.dumps(configuration(*cell), indent=2) + "\n")
    done = subprocess.run(command(arguments, name, results), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode < 0 or done.returncode >= 128:
        raise Failure(f"{name}: stopped; call it again to go on")
    after = read(arguments.out / f"{name}.results.json")
    if after is None or done.returncode == 1 and after == results:
        raise Failure(f"{name}: {done.stderr.strip() or 'no results were written'}")


def entry(pair):
    result = pair["result"]
    mark = MARKS.get(result["verdict"], "?")
    return f"{mark} {percent(result['ratio'])}" if result.get("ratio") else mark


def rung(row):
    """"no_item", or "prefetch against:host" where a rung has several rows."""
    told = [f"{place['axis']}:{place['text']}" for place in row["at"]
            if place["axis"] != "unit" and place["text"] != "below"]
    return " ".join([row["step"].removeprefix("stgym/"), *told])


def column(results):
    """What each rung came to: its name -> text."""
    found = {rung(pair): entry(pair) for pair in results["pairs"]}
    for error in results["errors"]:
        found.setdefault(rung(error), "." if error["verdict"] == "skipped" else "failed")
    return found


def print_failures(cell, results):
    for error in results["errors"]:
        if error["verdict"] != "skipped":
            print(f"{' '.join(cell)}: {rung(error)}: {error['message']}")


def print_table(arguments):
    there = {cell: read(arguments.out / f"{'-'.join(cell)}.results.json") for cell in cells(arguments)}
    there = {cell: results for cell, results in there.items() if results is not None}
    columns = {cell: column(results) for cell, results in there.items()}
    if not columns:
        raise Failure(f"{arguments.out}: no cell has results yet")
    steps = list(dict.fromkeys(step for found in columns.values() for step in found))
    for task in arguments.tasks:
        heads = [cell for cell in columns if cell[2] == task]
        if not heads:
            continue
        rows = [[TASKS[task], *(f"{layer} {pooling}" for layer, pooling, _ in heads)]]
        rows += [[step, *(columns[cell].get(step, "") for cell in heads)] for step in steps]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        for row in rows:
            print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())
        print()
    for cell, results in there.items():
        print_failures(cell, results)
    return any(text == "failed" for found in columns.values() for text in found.values())


def names_in(allowed):
    def names(text):
        chosen = text.split(",")
        for name in chosen:
            if name not in allowed:
                raise argparse.ArgumentTypeError(f"'{name}' is not one of {', '.join(allowed)}")
        return chosen
    return names


def parse(arguments):
    lines = __doc__.split("\n\n", 1)
    parser = argparse.ArgumentParser(description=lines[0], epilog=lines[1],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("space-matrix"), metavar="DIR",
                        help="where configurations and results lie; default: space-matrix")
    parser.add_argument("--program", type=pathlib.Path, default=PROJECT / "build/tuneproof", metavar="FILE",
                        help="default: build/tuneproof")
    parser.add_argument("--layers", type=names_in(LAYERS), default=list(LAYERS), metavar="LIST", help="gin,gcn,sage")
    parser.add_argument("--pooling", type=names_in(POOLINGS), default=list(POOLINGS), metavar="LIST",
                        help="none,mincut,dmon")
    parser.add_argument("--tasks", type=names_in(TASKS), default=list(TASKS), metavar="LIST", help="node,graph,cluster")
    parser.add_argument("--scale", metavar="FACTOR", help="nodes per graph, as for `tuneproof run`")
    parser.add_argument("--budget", metavar="TIME", help="end a cell after about this time; call again to go on")
    parser.add_argument("--quick", action="store_true", help="three rungs on small data, to see that it works")
    parser.add_argument("--table", action="store_true", help="measure nothing, print the table of what is there")
    parser.add_argument("more", nargs="*", metavar="-- OPTION", help="further options of `tuneproof run`")
    chosen = parser.parse_args(arguments)
    if chosen.quick and not chosen.scale:
        chosen.scale = "0.002"
    return chosen


def main():
    arguments = parse(sys.argv[1:])
    try:
        if not arguments.table:
            arguments.out.mkdir(parents=True, exist_ok=True)
            all_cells = cells(arguments)
            for number, cell in enumerate(all_cells, 1):
                run_cell(arguments, cell, f"[{number}/{len(all_cells)}]")
        return 1 if print_table(arguments) else 0
    except (Failure, OSError) as error:
        print(f"space_matrix.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("space_matrix.py: stopped; call it again to go on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
