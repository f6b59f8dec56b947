#!/usr/bin/env python3
"""Measures how long a training step of STGym takes in each form of the ladder, and prints or writes a table.

  scripts/stgym_speed.py                     measures and prints
  scripts/stgym_speed.py --write             also writes the table into workloads/stgym/README.md
  scripts/stgym_speed.py --stgym ~/stgym     also measures STGym's own Python step in the same run

16 graphs, 2,000 features, forward + backward + Adam, on the CPU. Needs build/stgym_step_cost
(`ninja -C build stgym_step_cost`); --stgym needs a Python with STGym's requirements (--python).
"""

import json
import pathlib
import re
import sys

from speed import ROOT, Failure, commit, parser_of, processor, said_by

README = ROOT / "workloads/stgym/README.md"
BEGIN, END = "<!-- speed: written by scripts/stgym_speed.py -->\n", "<!-- end of speed -->"
GRAPHS = 16
PUBLISHED = "published end"
PYTHON = "STGym's Python"


def seconds_by_form(output):
    """{"naive": 0.33, ...} from lines "naive   0.3300 s, ...", in their order."""
    found = {}
    for line in output.splitlines():
        if match := re.match(r"(\S.*?)\s+([0-9.]+) s\b", line):
            found[match[1]] = float(match[2])
    if not found:
        raise Failure("the program printed no line with seconds")
    return found


def measure(arguments):
    """{nodes: {form: seconds}}."""
    table = {}
    for per_graph in arguments.nodes:
        all_nodes = per_graph * GRAPHS
        forms = {}
        if arguments.stgym:
            forms[PYTHON] = python_seconds(arguments, per_graph)
        forms |= seconds_by_form(said_by([arguments.program, per_graph, arguments.runs], arguments.threads))
        table[all_nodes] = forms
        print(f"{all_nodes:,} nodes: done", file=sys.stderr)
    return table


def python_seconds(arguments, per_graph):
    step = ROOT / "scripts/peers/stgym_step.py"
    output = said_by([arguments.python, "-B", step, arguments.stgym, "last", "cpu", f"{per_graph}nodes", arguments.runs],
                     arguments.threads)
    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    if not lines:
        raise Failure("STGym's step printed no line")
    return lines[-1]["shortest_ms"] / 1e3


def markdown(table):
    sizes = sorted(table)
    base = PYTHON if PYTHON in table[sizes[0]] else PUBLISHED
    named = "times as fast as " + ("STGym's Python" if base == PYTHON else "the published end")
    head = ["form"] + [f"{n:,} nodes" for n in sizes] + [f"{named}, {n:,}" for n in (sizes[0], sizes[-1])] + \
           [f"growth for {sizes[-1] / sizes[0]:.2f} times the nodes"]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for form in table[sizes[0]]:
        times = [table[n][form] for n in sizes]
        faster = [table[n][base] / table[n][form] for n in (sizes[0], sizes[-1])]
        cells = [form] + [f"{t:.4f} s" for t in times] + [f"{f:.1f}" for f in faster] + [f"{times[-1] / times[0]:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def heading(arguments):
    return (f"Measured at commit {commit()} on {processor()}, {arguments.threads} threads: the shortest of "
            f"{arguments.runs} steps each, batches made beforehand, anomaly detection off.\n\n")


def replaced(page, body):
    text = page.read_text()
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        raise Failure(f"{page} has lost the marks between which the table stands")
    return text[:begin + len(BEGIN)] + body + text[end:]


def parse_arguments():
    parser = parser_of(__doc__, "stgym_step_cost", "STGym's requirements", threads=2)
    parser.add_argument("--nodes", type=int, nargs="+", default=[561, 1123, 2246], help="of each graph")
    parser.add_argument("--runs", type=int, default=10, help="steps of each form; the shortest counts")
    parser.add_argument("--page", type=pathlib.Path, default=README, help="default: workloads/stgym/README.md")
    parser.add_argument("--stgym", type=pathlib.Path, help="a checkout of STGym: its own step beside ours")
    arguments = parser.parse_args()
    if min(arguments.nodes + [arguments.runs, arguments.threads]) < 1:
        parser.error("--nodes, --runs and --threads are at least 1")
    if arguments.stgym and not (arguments.stgym / "stgym").is_dir():
        parser.error(f"--stgym {arguments.stgym}: it has no folder stgym")
    return arguments


def main():
    arguments = parse_arguments()
    try:
        text = heading(arguments)
        body = text + markdown(measure(arguments))
        print(body, end="")
        if arguments.write:
            arguments.page.write_text(replaced(arguments.page, body))
    except (Failure, OSError) as failure:
        print(f"stgym_speed.py: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
