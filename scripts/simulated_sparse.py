#!/usr/bin/env python3
"""Sparse operators of a recorded step beside the same step's recording: what a GPU takes for their bytes, and in how many commands.

Usage: simulated_sparse.py TUNEPROOF GPU TRACE RECORDING ROW     for example: build/tuneproof h200 tests/golden/h200/naive_step.trace.json.gz
                                    tests/golden/simulation/h200_stgym.recording.json.gz stgym/device_indices

Trace and recording hold the products of two sparse matrices of one step in one order. Sorts of entries (`_coalesce`) are a part of other operators
on a GPU and not on the host that recorded: those of the commonest size stand beside the recorded one of that size.
Calls at even places (from 0) give the values of harness/simulate/costs.json; those at odd places judge them.
"""

import collections
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

from results_files import text_of

PRODUCT, SORT = "aten::_sparse_sparse_matmul", "aten::_coalesce"
VALUES = pathlib.Path(__file__).parents[1] / "harness/simulate/costs.json"
KERNEL_LEAST = json.loads(VALUES.read_text())["model"]["kernel_least"]["value"]  # us


def read(path):
    return json.loads(text_of(pathlib.Path(path)))


class Trace:
    def __init__(self, path):
        events = [event for event in read(path)["traceEvents"] if event.get("ph") == "X"]
        self.operators = sorted((event for event in events if event.get("cat") == "cpu_op"), key=lambda event: event["ts"])
        self.commands = {}
        for event in events:
            if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"):
                self.commands.setdefault(event["args"].get("External id"), []).append(event)

    def inside(self, outer):
        end = outer["ts"] + outer["dur"]
        return [event for event in self.operators if event["tid"] == outer["tid"] and outer["ts"] <= event["ts"] and
                event["ts"] + event["dur"] <= end]

    def calls(self, name):
        """(device us, commands, of these to the host, the matrix's sizes in order) of each call."""
        for event in (one for one in self.operators if one["name"] == name):
            commands = [one for part in self.inside(event) for one in self.commands.get(part["args"].get("External id"), [])]
            sizes = sorted(size for dims in event["args"]["Input Dims"][:1] for size in dims)
            yield sum(one["dur"] for one in commands), len(commands), sum("DtoH" in one["name"] for one in commands), sizes


def entries_of(recording, row, kind):
    form = next(one for one in recording["rows"] if one["row"].startswith(row))["forms"][0]
    for entry in form["entries"]:
        if (entry.get("unit") == "sparse_product") if kind == PRODUCT else (entry.get("name") == SORT):
            yield from [entry] * entry.get("times", 1)


def simulated_us(program, gpu, entry):
    alone = {"tuneproof": {"schema": "tuneproof.recording", "schema_version": {"major": 1, "minor": 0}}, "note": "", "rows": [
        {"row": "one", "note": "", "forms": [{"form": form, "non_blocking": [], "entries": [{**entry, "times": 1}]}
                                             for form in ("naive", "optimized")]}]}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "one.json"
        file.write_text(json.dumps(alone))
        said = subprocess.run([program, "simulate", "--from", file, "--gpu", gpu, "--json", "-"], capture_output=True, text=True, check=True)
    return 1e6 * json.loads(said.stdout)["simulated"][0]["forms"][0]["busy"]["kernels_seconds"]


def products(trace, recording, row):
    calls, entries = list(trace.calls(PRODUCT)), list(entries_of(recording, row, PRODUCT))
    if len(calls) != len(entries):
        sys.exit(f"{PRODUCT}: {len(calls)} calls in the trace and {len(entries)} in the recording")
    return list(zip(calls, entries))


def largest_sorts(trace, recording, row):
    """Of the sizes and commands that most calls have; the recording's largest sort is one of them."""
    calls = list(trace.calls(SORT))
    most = collections.Counter((tuple(sizes), commands) for _, commands, _, sizes in calls).most_common(1)[0][0]
    largest = max(entries_of(recording, row, SORT), key=lambda entry: entry["bytes"])
    return [(call, largest) for call in calls if (tuple(call[3]), call[1]) == most]


def main():
    program, gpu, trace, recording, row = sys.argv[1:6]
    trace, recording = Trace(trace), read(recording)
    print("| operator | calls | commands, median | to the host | GB/s, even places | recorded, odd places | simulated | median factor |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, pairs in [(PRODUCT, products(trace, recording, row)), (SORT, largest_sorts(trace, recording, row))]:
        even, odd = pairs[::2], pairs[1::2]
        commands, reads = (statistics.median(call[place] for call in list(trace.calls(name))[::2]) for place in (1, 2))
        rate = sum(entry["bytes"] for _, entry in even) / sum(max(call[0] - KERNEL_LEAST * call[1], 0) for call, _ in even) / 1e3
        ours = [simulated_us(program, gpu, entry) for _, entry in odd]
        factors = [us / call[0] for us, (call, _) in zip(ours, odd)]
        print(f"| {name} | {len(pairs)} | {commands:.0f} | {reads:.0f} | {rate:.0f} | {sum(call[0] for call, _ in odd) / 1e3:.2f} ms | "
              f"{sum(ours) / 1e3:.2f} ms | {statistics.median(factors):.2f} |")


if __name__ == "__main__":
    main()
