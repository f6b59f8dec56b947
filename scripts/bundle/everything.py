"""Measures all that this machine can tell in one go, most valuable parts first, within a given time.

Usage: run-here.sh everything --out DIR --minutes M

Each part leaves its output, its files and its exit code in DIR/PART/, and all of DIR is packed into DIR.tar.zst (at most
16 MiB; the largest files are left out first, and named). So DIR must be new or empty, or hold an earlier visit: then the
call continues with what is missing. Delete DIR/PART to repeat one part. You may interrupt the visit at any time.

Exit code 0: nothing is missing, nothing failed. 1: wrong use, or a part failed. 75: time ran out; call it again.
130: interrupted.

Example: run-here.sh everything --out visit --minutes 9
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pathlib
import sys
import time

import pack_visit
import parts
import visit

PACKING = 15  # seconds at the end
INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(visit.FAILED, f"tuneproof: everything: {message}.\n")


def arguments() -> argparse.Namespace:
    parser = Parser(prog="run-here.sh everything", description=__doc__.split("\n\nUsage")[0],
                    epilog=__doc__.split("DIR --minutes M\n\n")[1],
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR", help="write everything into this new folder")
    parser.add_argument("--minutes", required=True, type=float, metavar="M", help="end within this time")
    parser.add_argument("--short", action="store_true", help="use little data and stop every part after seconds, to try the visit itself")
    given = parser.parse_args()
    if not 0.5 <= given.minutes <= 1440:
        parser.error("--minutes: expected a number from 0.5 to 1440")
    given.out = pathlib.Path(os.path.abspath(given.out))  # without "..": the archive takes the folder's name
    return given


def refuse_foreign(folder: pathlib.Path) -> None:
    """All of the folder is packed: it must hold nothing but a visit."""
    if (folder / "visit.json").exists() or not folder.is_dir():
        return
    if folder == pathlib.Path(folder.root) or any(path.name != ".lock" for path in folder.iterdir()):
        raise SystemExit(f"tuneproof: {folder} holds other files than a visit; name a new or empty folder.")


def locked(folder: pathlib.Path):
    """Two visits of one folder would write over each other."""
    lock = (folder / ".lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise SystemExit(f"tuneproof: another visit of {folder} is running.") from None
    return lock


def same_program(folder: pathlib.Path, machine: parts.Machine) -> None:
    file = folder / "visit.json"
    before = visit.read_json(file).get("commit") if file.exists() else machine.commit
    if not isinstance(before, str):
        raise SystemExit(f"tuneproof: {file} does not say which commit measured; choose another folder.")
    if before != machine.commit:
        raise SystemExit(f"tuneproof: {folder} holds what commit {before} measured, and this is {machine.commit};"
                         " choose another folder.")
    visit.write_json(folder / "visit.json", {"commit": machine.commit, "cuda": machine.gpu})


def main() -> int:
    given = arguments()
    try:
        return go(given, time.monotonic() + given.minutes * 60 - visit.GRACE - PACKING)
    except KeyboardInterrupt:  # before there is a visit, which only notes it
        print("tuneproof: interrupted.", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        raise SystemExit(f"tuneproof: {error.filename or given.out} cannot be written: {error.strerror}.") from None


def go(given: argparse.Namespace, deadline: float) -> int:
    folder = given.out
    refuse_foreign(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder) as lock:
        machine = parts.ask_machine()
        same_program(folder, machine)
        whole = visit.Visit(folder, deadline, machine, lock.fileno(), given.short)
        whole.go()
        (folder / "summary.txt").write_text(whole.summary())
        print(whole.summary() + pack_visit.pack(folder), end="", flush=True)
        return INTERRUPTED if whole.stopped else whole.exit_code()


if __name__ == "__main__":
    sys.exit(main())
