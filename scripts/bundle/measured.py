"""What files of results/ already have of this kind of GPU: everything --skip-measured leaves it out."""

from __future__ import annotations

import gzip
import json
import pathlib
import zlib
from dataclasses import dataclass, field

DECIDED = ("helps", "hurts", "no_effect")


def scale_of(words: list[str]) -> str:
    """Behind --scale; full size where it is left out, as on a GPU."""
    return words[words.index("--scale") + 1] if "--scale" in words else "1"


@dataclass
class Measured:
    """`seen` holds each row of a file, with its scale, `rows` those with a verdict; `kept` has beginnings of rows that are
    measured all the same."""
    folder: str = ""
    seen: set[tuple[str, str]] = field(default_factory=set)
    rows: set[tuple[str, str]] = field(default_factory=set)
    prices: set[str] = field(default_factory=set)
    selftest: bool = False
    kept: tuple[str, ...] = ()

    def rows_left(self, rows: list[str], scale: str) -> list[str]:
        return [row for row in rows if row.startswith(self.kept) or (row, scale) not in self.rows]

    def unseen(self, rows: list[str], scale: str) -> list[str]:
        return [row for row in rows if row.startswith(self.kept) or (row, scale) not in self.seen]

    def prices_left(self, names: list[str]) -> list[str]:
        return [name for name in names if name.removeprefix("prices/").startswith(self.kept) or name not in self.prices]

    def take(self, content: dict, kind: str) -> None:
        """One file; nothing where another kind of machine wrote it, or another program."""
        if "benchmarks" in content and "tuneproof" not in content:
            if content.get("context", {}).get("gpu") == kind:
                self.prices |= {row["name"] for row in content["benchmarks"] if not row.get("error_occurred")}
            return
        block = content.get("tuneproof", content)
        if not isinstance(block, dict) or gpu_of(block) != kind:
            return
        if str(block.get("schema")).startswith("tuneproof.selftest"):
            self.selftest |= block["proves"]["grade"] != "open"  # a session or two prove nothing
            return
        options = dict(block.get("session", {}).get("options", {}))
        scale = options.pop("scale", "1")
        if not options:
            pairs = block.get("pairs", [])
            self.seen |= {(row["id"], scale) for row in pairs}
            self.rows |= {(row["id"], scale) for row in pairs if row.get("result", {}).get("verdict") in DECIDED}


def gpu_of(block: dict) -> str | None:
    machine = block.get("fingerprint", {}).get("hard", {}).get("machine", {})
    return (machine.get("gpu") or {}).get("name")


def read(folder: pathlib.Path, kind: str, kept: tuple[str, ...] = ()) -> Measured:
    """Raises SystemExit, one sentence that names the file, where one cannot be read."""
    found = Measured(str(folder), kept=kept)
    for path in sorted([*folder.rglob("*.json"), *folder.rglob("*.json.gz")]):
        try:
            raw = path.read_bytes()
            content = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)
            if isinstance(content, dict):
                found.take(content, kind)
        except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, zlib.error) as error:
            raise SystemExit(f"tuneproof: --skip-measured: {path} cannot be read: {error}.") from None
    return found
