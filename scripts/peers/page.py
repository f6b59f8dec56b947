#!/usr/bin/env python3
"""Writes the page of a machine's peers: what others' programs take for the work of our rows, on the same card.

Usage: scripts/peers/page.py FOLDER [--out FILE]

FOLDER is a visit that run-here.sh everything brought home, or a folder of results/: it has files of `run`, prices, and the
lines of measure.py (*.jsonl). Prints the page, or writes FILE. Refuses what was measured on the stand-in device.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import results_files  # noqa: E402
import results_page  # noqa: E402
from peer_lines import whole_lines  # noqa: E402

ON_A_CPU = "0.00390625"  # the scale of STGym's rows on a CPU where no option says another: 1/256
# Their form; the row of ours that does the same work, and which of its forms.
STGYM = [("first", "first commit, anomaly detection on", "stgym/best_form/", "naive"),
         ("first, one thread", "the same, one thread", "stgym/best_form/", "naive"),
         ("last", "last commit", "stgym/inplace/", "optimized"),
         ("last", "last commit", "stgym/best_form/", "optimized")]
MODELS = [(f"{model} {form}", f"{model} {form}", f"{model}/{row}", ours) for model in ["resnet50", "gpt", "unet"]
          for form, row, ours in [("eager", "best_form/", "naive"), ("fused", "best_form/", "optimized"),
                                  ("fused_fp32", "best_form/", "optimized"),
                                  ("bf16", "best_form_bf16/by:operators/", "optimized"),
                                  ("compiled", "best_form/", "optimized"),
                                  ("compiled_bf16", "best_form_bf16/by:compiler/", "optimized")]]
# Their test; the price of ours, and what its rate has to be divided by: theirs is that of one direction.
COPIES = [("host_to_device_memcpy_ce", "copy/h2d/host:pinned", 1), ("device_to_host_memcpy_ce", "copy/d2h/host:pinned", 1),
          ("host_to_device_bidirectional_memcpy_ce", "copy/both/host:pinned", 2), ("device_local_copy", "copy/d2d", 1)]
FAIR = """\
Theirs are their authors' own programs, of which nothing is part of this project; `scripts/peers/measure.py` ran them on the
machine of the rows beside them. Times are of one training step whose data lie on the device, without a profiler: two epochs
of STGym or ten steps of a model are queued, and waited for once (in brackets: each step waited for). Sizes are equal, seeds are
not: STGym trains batches of 16 graphs of the published sizes on both sides. STGym's batches are ready; up to the published end
ours search the neighbors and put a batch together in each step, as STGym's training does. Ours are the medians of their rows. Our
naive form of a model also makes its batches sample by sample. Python's convolutions run in TF32 on a device, as PyTorch has it by
default; ours, and Python's form fused_fp32, run in FP32, since TF32 is a rung of its own.
"""
OF_COPIES = """\
Copies of 512 MiB; each program ran once. Above 1, our price is the faster one. Both ways at once are not the same work: nvbandwidth
times one copy beside a larger one, we add up two equal ones. `tuneproof prices --quick` measures yours.

"""


class Ours:
    """A form of a row of ours, from the newest run of it on that kind of device."""

    def __init__(self, run: dict, pair: dict, form: str):
        self.id, self.form = pair["id"], form
        self.ms = pair["result"][f"{form}_ns"] / 1e6
        self.uuids = {run["fingerprint"]["info"].get("gpu_uuid"), *(run["fingerprint"]["info"].get("resumed_on") or [])}
        self.commit = run["session"]["git"]["head"][:12]

    def text(self) -> str:
        return f"{self.id.rsplit('/device:', 1)[0]}, {self.form}"


class Folder:
    """All that FOLDER has."""

    def __init__(self, folder: pathlib.Path):
        self.runs, self.prices, self.lines = [], {}, []
        for path in sorted(folder.rglob("*.jsonl")):
            self.lines += whole_lines(path)
        for path in sorted([*folder.rglob("*.json"), *folder.rglob("*.json.gz")]):
            self.take(path)
        self.runs.sort(key=lambda run: run["session"]["started"])

    def take(self, path: pathlib.Path) -> None:
        content = json.loads(results_files.text_of(path))
        if not isinstance(content, dict):
            return
        results_files.refuse_stand_in(path, content)
        block = content.get("tuneproof")
        if isinstance(block, dict) and "pairs" in block:
            self.runs.append(block)
        elif "benchmarks" in content:
            commit = results_page.commit_of_prices(path, content)[:12]
            self.prices |= {row["name"]: (row["bytes_per_second"] / 1e9, commit) for row in content["benchmarks"]
                            if row.get("bytes_per_second")}

    def line(self, peer: str, form: str) -> dict | None:
        found = [line for line in self.lines if (line["peer"], line["form"]) == (peer, form) and "failed" not in line]
        return found[-1] if found else None

    def ours(self, beginning: str, form: str, line: dict, fits) -> Ours | None:
        """The newest row for the same kind of device, of a size that `fits` a run and a pair."""
        kind = line["device"].split(":")[0]
        for run in reversed(self.runs):
            for pair in run["pairs"]:
                if (pair["id"].startswith(beginning) and "/unit:step" in pair["id"] and pair["device"].split(":")[0] == kind
                        and pair["result"].get(f"{form}_ns") and fits(run, pair)):
                    return Ours(run, pair, form)
        return None


def scale_of(run: dict, pair: dict, usual: str) -> float:
    """A row says it where it is a share of a device's size; else the option does."""
    said = [figure["naive"] for figure in pair.get("figures", []) if figure["name"] == "scale"]
    return float(said[0] if said else run["session"]["options"].get("scale", usual))


def same_scale(line: dict):
    usual = ON_A_CPU if line["device"] == "cpu" else "1"
    return lambda run, pair: scale_of(run, pair, usual) == line["scale"]


def same_shape(line: dict):
    """A model's shapes for a device are those of scale 1; a row of the shapes for a CPU has no scale."""
    wanted = 1 if line["shape"][-1] > 64 else 0
    return lambda run, pair: scale_of(run, pair, "0") == wanted


def place(line: dict, ours: Ours | None) -> str:
    if line["device"] == "cpu":
        return f"CPU, theirs with {line['threads']} of its threads"
    if ours and line["uuid"] and line["uuid"] not in ours.uuids:
        return "another card of the kind"
    return line["uuid"] or "card unknown"


def step_rows(folder: Folder, peer: str, pairs, fits) -> list[list[str]]:
    rows = []
    for form, words, beginning, our_form in pairs:
        line = folder.line(peer, form)
        if not line:
            continue
        theirs = statistics.median(line["queued_ms"])
        ours = folder.ours(beginning, our_form, line, fits(line))
        size = f"{round(statistics.mean(line['nodes'])):,} nodes" if "nodes" in line else " x ".join(map(str, line["shape"]))
        rows.append([words, size, f"{theirs:.3g} ({line['waited_ms']:.3g})", ours.text() if ours else "not measured at this size",
                     f"{ours.ms:.3g}" if ours else "-", f"{theirs / ours.ms:.2f}" if ours else "-", place(line, ours),
                     ours.commit if ours else "-"])
    return rows


def copy_rows(folder: Folder) -> list[list[str]]:
    rows = []
    for form, price, divisor in COPIES:
        line = folder.line("nvbandwidth", form)
        if not line:
            continue
        name = f"prices/{price}/bytes:512MiB/manual_time"
        rate, commit = folder.prices.get(name, (None, "-"))
        shown = rate / divisor if rate else None
        rows.append([form, f"{line['rate_gb_s']:.4g}", name.removeprefix("prices/").removesuffix("/manual_time") +
                     (", half of both ways" if divisor == 2 else ""), f"{shown:.4g}" if shown else "not measured",
                     f"{shown / line['rate_gb_s']:.3f}" if shown else "-", line["uuid"] or "card unknown", commit])
    return rows


def page(folder: Folder) -> str:
    heads = ["theirs", "size", ">ms queued (waited)", "ours", ">ms", ">theirs / ours", "where", "our commit"]
    parts = [("STGym's own Python", heads, step_rows(folder, "stgym", STGYM, same_scale)),
             ("Models in Python", heads, [row for model in ["resnet50", "gpt", "unet"] for row in step_rows(
                 folder, model, [entry for entry in MODELS if entry[0].startswith(model)], same_shape)]),
             ("nvbandwidth", ["theirs", ">GB/s", "ours", ">GB/s", ">ours / theirs", "where", "our commit"], copy_rows(folder))]
    said = sorted({f"{line['card']}, PyTorch {line['torch']}" if line["card"] else f"a CPU, PyTorch {line['torch']}"
                   for line in folder.lines if "torch" in line})
    text = "# The same work in others' programs\n\nWritten by `scripts/peers/page.py`"
    text += f"; theirs ran on {'; '.join(said)}.\n\n{FAIR}" if said else ".\n"
    for title, columns, rows in parts:
        if rows:
            text += f"\n## {title}\n\n" + (OF_COPIES if title == "nvbandwidth" else "") + "\n".join(results_files.table(columns, rows)) + "\n"
    failed = [f"- {line['peer']} {line['form']}: {line['failed']}" for line in folder.lines if "failed" in line]
    return text + ("\n## Failed\n\n" + "\n".join(failed) + "\n" if failed else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER", help="a visit, or a folder of results/")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="write the page there")
    given = parser.parse_args()
    try:
        folder = Folder(given.folder)
        if not folder.lines:
            raise results_files.BadFile(f"{given.folder}: holds no lines of measure.py (*.jsonl)")
        text = page(folder)
        if given.out:
            given.out.write_text(text)
        else:
            print(text, end="")
    except (results_files.BadFile, OSError) as error:
        print(f"tuneproof: {error}", file=sys.stderr)
        return 1
    except (KeyError, TypeError, ValueError, AttributeError, EOFError, zlib.error) as error:
        print(f"tuneproof: {given.folder}: a file lacks what the page shows, or has it otherwise: {error!r}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
