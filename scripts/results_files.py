"""The result files of a machine's folder, and their numbers as text. For results_page.py."""

from __future__ import annotations

import gzip
import json
import zlib

LADDER = "stgym/"
MOST_BYTES = 128 << 20
ALLOW_STAND_IN = "--allow-stand-in"


class BadFile(Exception):
    pass


def time_text(nanoseconds):
    if not nanoseconds:
        return "-"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            break
    else:
        unit, size = "ns", 1
    value = nanoseconds / size
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"


def rate_text(per_second):
    for unit, size in (("GB/s", 1e9), ("MB/s", 1e6), ("kB/s", 1e3), ("B/s", 1)):
        if per_second >= 0.9995 * size:
            break
    return f"{per_second / size:.3g} {unit}" if per_second < 999.5 * size else f"{per_second / size:.0f} {unit}"


def percent(ratio):
    change = 100 * (ratio - 1)
    if abs(change) < 0.05:
        return "0.0"
    return f"{change:+.1f}" if abs(change) < 99.95 else f"{change:+.0f}"


def change_text(result):
    if result["ratio"] is None:
        return "-"
    text = f"{percent(result['ratio'])} %"
    if result.get("ratio_ci") and not any(flag.startswith("only ") for flag in result.get("flags", [])):  # as run::shown_interval
        low, high = result["ratio_ci"]
        most = 100 * max(1, low)  # as harness::change_text does
        text += f" [{percent(low)}, {percent(high) if high <= most else '>' + percent(most)}]"
    return text


def cell(text):
    return " ".join(str(text).replace("|", "\\|").split())


def table(heads, rows):
    align = ["---:" if head.startswith(">") else "---" for head in heads]
    lines = [" | ".join(head.lstrip(">") for head in heads), " | ".join(align)]
    lines += [" | ".join(map(cell, row)) for row in rows]
    return [f"| {line} |" for line in lines]


def is_of_stand_in(content):
    """By the GPU's name, wherever a file of ours has it (results, a self-test or a comparison, prices), or its driver."""
    hard = content.get("tuneproof", content).get("fingerprint", {}).get("hard", {})
    gpu = (hard.get("machine", {}).get("gpu") or {}).get("name") or content.get("context", {}).get("gpu") or ""
    driver = hard.get("software", {}).get("driver") or ""
    return str(gpu).startswith("stand-in") or str(driver).endswith("(stand-in)")


def refuse_stand_in(path, content):
    """What was measured on the stand-in for CUDA (stand_in/) is not a measurement."""
    if is_of_stand_in(content):
        raise BadFile(f"{path}: was measured on the stand-in device, so its times mean nothing; "
                      f"add {ALLOW_STAND_IN} to use it anyway")


# Steps that had what they warn of as their optimized form in older files, whose rows have no `sides`, or those of TURNED_FROM:
# what harness/results/turned_rows.cpp turns, this turns.
TURNED = {"transfer/pin_then_copy": ("pinned first", "copied as it is"), "transfer/pinned_alloc_cost": ("pinned", "pageable"),
          "memory/kern_coalescing": ("spread out", "side by side"), "format/unsupported_op": ("with it", "without it"),
          "format/cudnn_benchmark_variable": ("benchmark", "heuristics"), "autograd/debug_apis": ("watched", "not watched"),
          "dataload/workers_ready_source": ("workers", "no workers"), "stgym/workers_5": ("five workers", "no workers"),
          "compile/break_even": ("compiled", "one by one"), "launch/graph_instantiate_cost": ("new graph", "one by one"),
          "precision/amp_small_none": ("autocast", "FP32"), "transfer/staging_buffer": ("own staging", "plain copy")}
TURNED_FROM = {"dataload/workers_ready_source": "no workers", "stgym/workers_5": "without",
               "compile/break_even": "one by one", "launch/graph_instantiate_cost": "one by one",
               "precision/amp_small_none": "FP32", "transfer/staging_buffer": "plain copy"}
TURNED_EXPECTED = "transfer/pin_then_copy/bytes:4MiB/cache:warm"
TURNED_WORDS = {"helps": "hurts", "hurts": "helps"}
TURNED_FIGURES = {"transfer/pin_then_copy": "0.713 -> 0.458 ms (4 MB tensor, hardware not stated); pinning up to twice as slow",
                  "dataload/workers_ready_source": "Self CPU up to 32 s with five workers (A30)",
                  "stgym/workers_5": "CPU time up to 32 s with five workers (A30)"}


def turned(pair):
    """The row as a row of today says it."""
    first = pair["sides"][0] if "sides" in pair else TURNED_FROM.get(pair["step"])
    if pair["step"] not in TURNED or first != TURNED_FROM.get(pair["step"]):
        return pair
    result = dict(pair["result"])
    result["naive_ns"], result["optimized_ns"] = result["optimized_ns"], result["naive_ns"]
    result["ratio"] = result["ratio"] and 1 / result["ratio"]
    result["ratio_ci"] = result.get("ratio_ci") and [1 / end for end in reversed(result["ratio_ci"])]
    result["verdict"] = TURNED_WORDS.get(result["verdict"], result["verdict"])
    flags = {"leaning faster": "leaning slower", "leaning slower": "leaning faster"}
    result["flags"] = [flags.get(flag, flag) for flag in result.get("flags", [])]
    return pair | {"sides": list(TURNED[pair["step"]]), "result": result,
                   "expected": "helps" if pair["expected"] == "hurts" or pair["id"] == TURNED_EXPECTED else pair["expected"],
                   "published": TURNED_FIGURES.get(pair["step"], pair["published"])}


class Results:
    """One file of `tuneproof run`."""

    def __init__(self, path, block):
        self.path, self.block = path, block
        self.session = block["session"]
        self.pairs, self.errors = [turned(pair) for pair in block["pairs"]], block["errors"]
        self.commit = self.session["git"]["head"]  # ends in -dirty where it was
        self.started = self.session["started"]

    def ladder(self):
        return [pair for pair in self.pairs if pair["id"].startswith(LADDER)]

    def source(self):
        return f"[{self.path.name}]({self.path.name}), commit {self.commit}"


def text_of(path):
    """The text of a file, packed or not. Raises ValueError beyond the size that the program reads."""
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        text = file.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise ValueError(f"more than {MOST_BYTES >> 20} MiB")
    return text.decode()


def read(folder, allow_stand_in=False):
    """All files, by kind: runs, self-tests, price lists; the oldest first."""
    runs, selftests, prices = [], [], []
    for path in sorted([*folder.glob("*.json"), *folder.glob("*.json.gz")]):
        try:
            content = json.loads(text_of(path))
            if not isinstance(content, dict):
                raise BadFile(f"{path}: neither results nor a self-test nor prices")
            if not allow_stand_in:
                refuse_stand_in(path, content)
            if str(content.get("tuneproof", {}).get("schema")) in ("tuneproof.simulation", "tuneproof.recording"):
                raise BadFile(f"{path}: a prediction of `tuneproof simulate`, not a measurement")
            if "tuneproof" in content:
                runs.append(Results(path, content["tuneproof"]))
            elif str(content.get("schema", "")).startswith("tuneproof.selftest"):
                selftests.append((content["started"], path, content))
            elif "benchmarks" in content:
                prices.append((content["context"]["date"], path, content))
            else:
                raise BadFile(f"{path}: neither results nor a self-test nor prices")
        except (EOFError, OSError, ValueError, KeyError, TypeError, AttributeError, zlib.error) as error:
            raise BadFile(f"{path}: cannot be read: {error}") from None
    return (sorted(runs, key=lambda run: run.started), sorted(selftests, key=lambda entry: entry[0]),
            sorted(prices, key=lambda entry: entry[0]))
