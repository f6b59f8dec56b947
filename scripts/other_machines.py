#!/usr/bin/env python3
"""Writes prices/other_machines.tsv: what the machines of results/ reached, from their newest price files.

Usage: scripts/other_machines.py [--check]

The program compares its own prices with these rows (prices/health.cpp). Of each kind the row of the most FLOP/s counts, or of the largest size.
"""

from __future__ import annotations

import argparse
import pathlib
import re
import sys

from results_files import read

PROJECT = pathlib.Path(__file__).resolve().parent.parent
TABLE = PROJECT / "prices/other_machines.tsv"
KINDS = ["copy/h2d/host:pinned/", "copy/d2h/host:pinned/", "copy/h2d/host:pageable/", "launch/return", "triad/device/",
         "product/device/fp32/", "product/device/tf32/", "product/device/bf16/", "triad/host/", "product/host/fp32/",
         "dispatch/host/add"]
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
SIZES = {"": 1, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}
HEAD = ("# What machines of results/ reached. scripts/other_machines.py writes this file from their price files.\n"
        "# Columns: the machine's folder, its GPU, the row, seconds, bytes per second, FLOP per second (0: the row has none).\n")


def size_of(name):
    found = re.search(r":(\d+)(?:(Ki|Mi|Gi)?B)?$", name)
    return int(found[1]) * SIZES[found[2] or ""] if found else 0


def rows_of(folder):
    gpu, rows = "", {}
    for _, _, content in read(folder)[2]:  # the newest last
        gpu = content["context"].get("gpu", gpu)
        for row in content["benchmarks"]:
            name = re.sub(r"/(real|manual|process)_time$", "", row["name"])
            seconds = row["real_time"] * UNITS[row["time_unit"]]
            rows[name] = (seconds, row.get("bytes_per_second", 0), row.get("FLOP/s", 0))
    return gpu, rows


def lines():
    for folder in sorted({file.parent for file in (PROJECT / "results").glob("*/prices-*")}):
        gpu, rows = rows_of(folder)
        for kind in KINDS:
            some = [name for name in rows if name.startswith("prices/" + kind)]
            if some:
                name = max(some, key=lambda name: (rows[name][2], size_of(name), -rows[name][0]))
                yield "\t".join([folder.name, gpu, name, *(f"{value:.4g}" for value in rows[name])])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where the table differs")
    arguments = parser.parse_args()
    text = HEAD + "".join(line + "\n" for line in lines())
    if arguments.check:
        if TABLE.read_text() == text:
            return 0
        print(f"{TABLE.relative_to(PROJECT)} differs from what results/ says; scripts/other_machines.py writes it",
              file=sys.stderr)
        return 1
    TABLE.write_text(text)
    return 0


sys.exit(main())
