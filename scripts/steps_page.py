#!/usr/bin/env python3
"""Writes the table of docs/steps.md, which is what `tuneproof list --markdown` prints.

Usage: scripts/steps_page.py TUNEPROOF [--check] [--page FILE]

--check writes nothing and exits with 1 if the page differs.
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/steps.md"


def with_table(page, table):
    """The page with `table` in the place of its first one. Raises ValueError where it has none."""
    lines = page.splitlines()
    if not (rows := [number for number, line in enumerate(lines) if line.startswith("|")]):
        raise ValueError("the page has no table")
    begin = end = rows[0]
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    return "\n".join(lines[:begin] + table + lines[end:]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", metavar="TUNEPROOF", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the page differs")
    parser.add_argument("--page", type=pathlib.Path, default=PAGE, help="default: docs/steps.md")
    arguments = parser.parse_args()
    said = subprocess.run([arguments.program.resolve(), "list", "--markdown"], capture_output=True, text=True, check=True)
    page = arguments.page.read_text(encoding="utf-8")
    wanted = with_table(page, said.stdout.splitlines())
    if page == wanted:
        return
    if arguments.check:
        sys.exit(f"{arguments.page} differs from what `list --markdown` prints; run scripts/steps_page.py {arguments.program}")
    arguments.page.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    main()
