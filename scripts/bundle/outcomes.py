"""What ended and what failed in a part of a visit so far, read from the files that the part writes as it goes."""

from __future__ import annotations

import contextlib
import json
import pathlib

MARK = ":test-result: "  # of Catch2's reporter "automake"
FAILED = ("FAIL", "ERROR", "XPASS")


def line(word: str, name: str) -> str:
    return f"{MARK}{word} {name}\n"


def lines(file: pathlib.Path) -> list[tuple[str, str]]:
    """Word and test of each whole line, up to the first failure: behind it Catch2 calls tests skipped that did not run."""
    found: list[tuple[str, str]] = []
    for text in file.read_text(errors="replace").splitlines(keepends=True):
        if text.startswith(MARK) and text.endswith("\n"):
            word, _, name = text[len(MARK):].rstrip("\n").partition(" ")
            found.append((word, name))
            if word in FAILED:
                break
    return found


def failed_tests(folder: pathlib.Path) -> list[str]:
    return [f"{file.name.split('.')[0]}: {test}" for file in sorted(folder.glob("*.outcomes"))
            for word, test in lines(file) if word in FAILED]


def document(file: pathlib.Path) -> dict:
    try:
        content = json.loads(file.read_text())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def failed_rows(folder: pathlib.Path) -> list[str]:
    """Rows of `run` that failed; those that were skipped said why."""
    block = document(folder / "results.json").get("tuneproof", {})
    return [error["id"] for error in block.get("errors", []) if error.get("verdict") == "failed"]


def prices(folder: pathlib.Path) -> list[dict]:
    return [row for file in sorted(folder.glob("prices*.json")) for row in document(file).get("benchmarks", [])]


def failed_prices(folder: pathlib.Path) -> list[str]:
    """Prices that could not be taken; a message that begins with "skipped: " is not a failure."""
    return sorted({row["name"] for row in prices(folder)
                   if not str(row.get("error_message", row.get("skip_message", "skipped: "))).startswith("skipped: ")})


def peers(folder: pathlib.Path) -> list[dict]:
    """A line for each form of another's program; the last may be half written."""
    found = []
    for file in folder.glob("peers.jsonl"):
        for text in file.read_text(errors="replace").splitlines(keepends=True):
            with contextlib.suppress(ValueError):
                found += [json.loads(text)] if text.endswith("\n") else []
    return found


def failures(folder: pathlib.Path) -> list[str]:
    return failed_tests(folder) + failed_rows(folder) + failed_prices(folder)


def kept(folder: pathlib.Path) -> str:
    """What a part that was cut has left: tests, prices, forms of peers, rehearsed rows and rounds; "nothing" where none had ended."""
    tests = sum(len(lines(file)) for file in folder.glob("*.outcomes"))
    rows = document(folder / "results.json").get("tuneproof", {}).get("pairs", [])
    rounds = sum(len(row.get("round_log_ratios", [])) for row in rows)
    rehearsed = sum(row.get("iterations", 0) > 0 for row in rows)
    sessions = sum(len(pair.get("sessions", {}).get("planted", [])) for pair in document(folder / "selftest.json").get("pairs", []))
    forms = sum("failed" not in form for form in peers(folder))
    counts = [(tests, "tests"), (len(prices(folder)), "prices"), (forms, "forms of a peer"), (rehearsed, f"of {len(rows)} rows rehearsed"),
              (rounds, "rounds of a row"), (sessions, "sessions of a pair")]
    return ", ".join(f"{count} {what}" for count, what in counts if count) or "nothing"
