"""Measures all that this machine can tell in one go, most valuable parts first, within a given time.

Usage: run-here.sh everything --out DIR --minutes M [--parts LIST] [--skip-measured RESULTS] [--peers KIT]

Each part leaves its output, its files and its exit code in DIR/PART/, and a line in DIR/agenda.txt; the last line there
begins with "end". Behind each part all of DIR is packed into DIR.tar.zst (at most 16 MiB; the largest files are left out
first, and named). So DIR must be new or empty, or hold an earlier visit of this program to this kind of GPU: then the call
continues with what is missing; --parts also repeats a part that failed. Delete DIR/PART to measure one anew. You may interrupt the visit at any time.

Exit code 0: nothing is missing, nothing failed. 1: wrong use, or a part failed. 75: time ran out; call it again.
130: interrupted.

Examples: run-here.sh everything --out visit --minutes 9
          setsid run-here.sh everything --out visit --minutes 27 >visit.log 2>&1 </dev/null &   outlives its terminal
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pathlib
import sys
import time

import measured
import pack_visit
import parts
import plan
import visit

PACKING = 15  # seconds at the end
INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(visit.FAILED, f"tuneproof: everything: {message}.\n")


def arguments() -> argparse.Namespace:
    parser = Parser(prog="run-here.sh everything", description=__doc__.split("\n\nUsage")[0],
                    epilog=__doc__.split("KIT]\n\n")[1],
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR", help="write everything into this new folder")
    parser.add_argument("--minutes", required=True, type=float, metavar="M", help="end within this time")
    parser.add_argument("--parts", type=names, default=(), metavar="LIST", help="only these, in this order: claims,selftest")
    parser.add_argument("--skip-measured", type=pathlib.Path, metavar="RESULTS",
                        help="leave out what files of this folder already have of this kind of GPU: rows with a verdict, prices")
    parser.add_argument("--peers", type=pathlib.Path, metavar="KIT", help="measure the peers' programs in this folder as well")
    parser.add_argument("--short", action="store_true",
                        help="use little data and stop every part after seconds, to try the visit itself")
    given = parser.parse_args()
    if not 0.5 <= given.minutes <= 1440:
        parser.error("--minutes: expected a number from 0.5 to 1440")
    for name in ("skip_measured", "peers"):
        folder = getattr(given, name)
        if folder and not folder.is_dir():
            parser.error(f"--{name.replace('_', '-')}: {folder} is no folder")
    given.out = pathlib.Path(os.path.abspath(given.out))  # without "..": the archive takes the folder's name
    return given


def names(text: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not found:
        raise argparse.ArgumentTypeError("expected names of parts, with commas between them")
    return found


def wishes_of(given: argparse.Namespace, machine: parts.Machine) -> plan.Wishes:
    known = measured.Measured()
    if given.skip_measured:
        if machine.without_gpu():
            raise SystemExit(f"tuneproof: --skip-measured goes by the kind of GPU, and there is none here: {machine.gpu}.")
        known = measured.read(given.skip_measured, machine.kind, plan.BESIDE_PEERS if given.peers else ())
    return plan.Wishes(given.short, known, given.peers and given.peers.resolve(), given.parts)


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


def same_program(folder: pathlib.Path, machine: parts.Machine) -> str:
    """Refuses another commit and another kind of GPU. What is to be said of another card of the kind."""
    file = folder / "visit.json"
    before = visit.read_json(file) if file.exists() else {"commit": machine.commit, "gpu": machine.kind}
    if not isinstance(before.get("commit"), str):
        raise SystemExit(f"tuneproof: {file} does not say which commit measured; choose another folder.")
    if before["commit"] != machine.commit:
        raise SystemExit(f"tuneproof: {folder} holds what commit {before['commit']} measured, and this is {machine.commit};"
                         " choose another folder.")
    if before.get("gpu", machine.kind) != machine.kind:
        raise SystemExit(f"tuneproof: {folder} holds what {shown(before['gpu'])} measured, and this is {shown(machine.kind)};"
                         " choose another folder.")
    cards = before.get("cards") if isinstance(before.get("cards"), list) else []
    new = [card for card in machine.cards if card not in cards]
    visit.write_json(file, {"commit": machine.commit, "cuda": machine.gpu, "gpu": machine.kind, "cards": cards + new})
    return f"another card of the same kind: {', '.join(new)}" if cards and new else ""


def shown(kind: str) -> str:
    return f"a GPU of the kind {kind}" if kind else "a machine without a GPU"


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
        wishes = wishes_of(given, machine)
        whole = visit.Visit(folder, deadline, machine, lock.fileno(), wishes)
        other_card = same_program(folder, machine)
        if other_card:
            whole.say(other_card)
        whole.go()
        code = INTERRUPTED if whole.stopped else whole.exit_code()
        (folder / "summary.txt").write_text(whole.summary())
        print(whole.summary() + pack_visit.pack(folder), end="", flush=True)
        whole.say(f"end, exit code {code}")  # whoever waits for this line finds the archive whole
        return code


if __name__ == "__main__":
    sys.exit(main())
