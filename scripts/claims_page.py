#!/usr/bin/env python3
"""Fills the last column of docs/claims.md, what became of each claim, from what the program says.

Usage: scripts/claims_page.py TUNEPROOF [--check] [--page FILE]

--check writes nothing and exits with 1 if the page differs. A claim that only one of the two has is an
error.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/claims.md"
ROW = re.compile(r"^(\| `([a-z0-9-]+)` \|.*\|)[^|]*\|$")


def fates(program):
    """What the page says of each claim, by its id."""
    said = subprocess.run([program, "list", "--claims", "--json"], capture_output=True, text=True, check=True)
    return {claim["id"]: here(claim["fate"], claim["what"]) for claim in json.loads(said.stdout)["claims"]}


def here(fate, what):
    what = what.replace("|", "/")
    return what if fate in ("step", "finding") else f"{fate}: {what}"


def filled(page, fate_of):
    """The page with its last column as it should be. Raises ValueError where the ids differ."""
    lines, seen = [], []
    for line in page.splitlines():
        if row := ROW.match(line):
            seen.append(row[2])
            line = f"{row[1]} {fate_of.get(row[2], '?')} |"
        lines.append(line)
    differ = sorted(set(seen) ^ set(fate_of)) + sorted({name for name in seen if seen.count(name) > 1})
    if differ:
        raise ValueError("the page and the program have other claims, or one twice: " + ", ".join(differ))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", metavar="TUNEPROOF")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where the page differs")
    parser.add_argument("--page", type=pathlib.Path, default=PAGE)
    arguments = parser.parse_args()
    old = arguments.page.read_text()
    try:
        new = filled(old, fates(arguments.program))
    except ValueError as error:
        sys.exit(f"{arguments.page}: {error}")
    if arguments.check:
        sys.exit(None if new == old else f"{arguments.page} is out of date: scripts/claims_page.py {arguments.program}")
    arguments.page.write_text(new)


if __name__ == "__main__":
    main()
