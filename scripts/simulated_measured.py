#!/usr/bin/env python3
"""What `tuneproof simulate` says of rows beside what `tuneproof run` measured of them on a real GPU.

Usage: simulated_measured.py TUNEPROOF RECORDING RESULTS... [OPTIONS of simulate]
For example: build/tuneproof h200_quick.recording.json.gz results/h200/2026-11-26-7400cad.json.gz --gpu h200 --host cpp

A factor is a simulated time over the measured one. "In range": the measured change lies within the simulated range.
"""

import json
import pathlib
import subprocess
import sys

from results_files import is_of_stand_in, text_of

HEAD = ["row", "measured", "change", "simulated", "change [range]", "in range", "factors"]


def content_of(path):
    try:
        content = json.loads(text_of(pathlib.Path(path)))
    except OSError as error:
        sys.exit(f"{path}: {error.strerror or 'cannot be unpacked'}")
    except ValueError as error:
        sys.exit(f"{path}: {error}")
    block = content.get("tuneproof")
    if not isinstance(block, dict) or "pairs" not in block:
        sys.exit(f"{path}: no results of tuneproof run")
    if not block["fingerprint"]["hard"]["machine"].get("gpu") or is_of_stand_in(content):
        sys.exit(f"{path}: no GPU measured this")
    return block


def milliseconds(seconds):
    return f"{1e3 * seconds:.3g}"


def percent(ratio):
    return f"{100 * (ratio - 1):+.1f}"


def simulated(program, recording, options):
    said = subprocess.run([program, "simulate", "--from", recording, "--json", "-", *options], capture_output=True, text=True,
                          check=False)
    if said.returncode != 0:
        sys.exit(said.stderr.strip())
    return json.loads(said.stdout)["simulated"]


def counts(factors, within):
    return sum(1 for factor in factors if 1 / within <= factor <= within)


def require_one_gpu(rows, blocks):
    simulated_on = {row["simulated_on"] for row in rows}
    if len(simulated_on) != 1:
        sys.exit("simulate: name one GPU with --gpu")
    sheet = simulated_on.pop()
    for block in blocks:
        measured_on = block["fingerprint"]["hard"]["machine"]["gpu"]["name"]
        if sheet.split()[0] not in measured_on.split():
            sys.exit(f"simulated on {sheet}, and measured on {measured_on}")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    words = sys.argv[1:]
    names = [word for word in words[2:] if word.endswith((".json", ".json.gz"))]
    blocks = [content_of(name) for name in names]
    found = simulated(words[0], words[1], [word for word in words[2:] if word not in names])
    require_one_gpu(found, blocks)
    rows = {row["row"]: row for row in found}
    print("| " + " | ".join(HEAD) + " |\n|---|---:|---:|---:|---:|---|---:|")
    factors, same_sign, in_range, judged, cannot = [], 0, 0, 0, []
    for pair in [pair for block in blocks for pair in block["pairs"] if pair["result"]["ratio"] is not None]:
        row = rows.get(pair["id"])
        result = pair["result"]
        measured = [result["naive_ns"] / 1e9, result["optimized_ns"] / 1e9]
        if row is None or row["simulated_ratio"] is None:
            cannot.append(pair["id"])
            continue
        times = [form["simulated_seconds"] for form in row["forms"]]
        low, high = row["ratio_interval"]
        inside = low <= result["ratio"] <= high
        judged += 1
        same_sign += (row["simulated_ratio"] < 1) == (result["ratio"] < 1)
        in_range += inside
        own = [time / real for time, real in zip(times, measured)]
        factors += own
        print("| " + " | ".join([
            pair["id"].removesuffix("/device:cuda"), " -> ".join(map(milliseconds, measured)) + " ms",
            percent(result["ratio"]) + " %", " -> ".join(map(milliseconds, times)) + " ms",
            f"{percent(row['simulated_ratio'])} % [{percent(low)}, {percent(high)}]", "yes" if inside else "**no**",
            " and ".join(f"{factor:.2f}" for factor in own)]) + " |")
    print(f"\nOf {judged} rows {same_sign} have the measured sign and {in_range} have the measured change in their range. Of "
          f"{len(factors)} times {counts(factors, 2)} are within a factor of 2 and {counts(factors, 1.3)} within 1.3.")
    print(f"Not simulated: {', '.join(cannot) or 'none'}.")


if __name__ == "__main__":
    main()
