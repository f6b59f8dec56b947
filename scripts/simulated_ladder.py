#!/usr/bin/env python3
"""STGym's published ladder on a simulated GPU, beside the post that published it.

Usage: simulated_ladder.py TUNEPROOF RECORDING [OPTIONS of simulate]      for example: build/tuneproof ladder.json --gpu a30

The recording is of the published rungs, a whole epoch each, worked out at the data's full size:
  tuneproof simulate stgym/delayed_cpu stgym/device_indices stgym/single_tail stgym/no_to_dense stgym/no_anomaly stgym/no_item \\
    stgym/inplace stgym/end_to_end --point unit=epoch --point against=below --gpu a30 --record ladder.json
"""

import json
import pathlib
import subprocess
import sys

from results_files import text_of

# xiaohan2012.github.io/2025/torch-cuda-optimization, A30: seconds an epoch before and after; "no figure" where it gives none.
POST = {"delayed_cpu": (21, 19), "device_indices": (20, 2), "end_to_end": (21, 2)}
POST_FORWARDS, POST_H2D_CALLS, POST_H2D_SECONDS = 19, 1231, 6.54  # its profile before device_indices, of two epochs
POST_SPARSE_CALLS, POST_SPARSE_SECONDS = 298, 2.35  # _sparse_sparse_matmul there, on the device
POST_DEVICE_SECONDS = 3.9 / 2  # Self CUDA an epoch, behind device_indices
FORWARDS = 7 + 2  # of our epoch: training batches, and those of the validation pass


def rung_of(row):
    return row.split("/")[1]


def change(before, after):
    return f"{100 * (after / before - 1):+.0f} %"


def copies_in(form):
    found = [entry for entry in form["entries"] if entry["do"] == "copy" and entry["way"] == "h2d"]
    return sum(entry.get("times", 1) for entry in found), sum(entry.get("bytes", 0) * entry.get("times", 1) for entry in found)


def rung_table(rows):
    print("| rung | post, s per epoch | post | simulated, s per epoch | simulated |\n|---|---:|---:|---:|---:|")
    for row in rows:
        name = rung_of(row["row"])
        before, after = (form["simulated_seconds"] for form in row["forms"])
        post = POST.get(name)
        told = (f"{post[0]} -> {post[1]}", change(*post)) if post else ("no figure", "-")
        print(f"| {name} | {told[0]} | {told[1]} | {before:.3f} -> {after:.3f} | {change(before, after)} |")


def copy_table(rows, recording):
    row = next(row for row in rows if rung_of(row["row"]) == "device_indices")
    forms = next(one["forms"] for one in recording["rows"] if one["row"] == row["row"])
    calls, moved = copies_in(next(form for form in forms if form["form"] == "naive"))
    seconds = row["forms"][0]["busy"]["to_device_seconds"]
    print("\n| copies to the device before device_indices, a forward pass | post | simulated | factor |\n|---|---:|---:|---:|")
    for what, post, ours in [("calls", POST_H2D_CALLS / POST_FORWARDS, calls / FORWARDS),
                             ("seconds", POST_H2D_SECONDS / POST_FORWARDS, seconds / FORWARDS)]:
        print(f"| {what} | {post:.3g} | {ours:.3g} | {ours / post:.2f} |")
    print(f"| bytes | not published | {moved / FORWARDS / 1e6:.0f} MB | |")


def sparse_table(program, file, options, recording):
    """The device's time in products of sparse matrices: what an epoch takes less where they go over their bytes at once."""
    at_once = [*options, "--set", "sparse_product=1e6", "--set", "sparse_product_share=1"]
    free = [one for one in simulate(program, file, at_once) if rung_of(one["row"]) == "device_indices"]
    full = [one for one in simulate(program, file, options) if rung_of(one["row"]) == "device_indices"]
    if not free or free[0]["cannot"]:
        return
    behind = next(one["forms"] for one in recording["rows"] if one["row"] == full[0]["row"])[1]["entries"]
    products = [entry for entry in behind if entry.get("unit") == "sparse_product"]
    busy = [one[0]["forms"][1]["busy"]["kernels_seconds"] for one in (full, free)]
    print("\n| the device, an epoch behind device_indices | post | simulated | factor |\n|---|---:|---:|---:|")
    for what, post, ours in [("all kernels, s", POST_DEVICE_SECONDS, busy[0]),
                             ("products of sparse matrices, s", POST_SPARSE_SECONDS / 2, busy[0] - busy[1]),
                             ("their calls", POST_SPARSE_CALLS / 2, sum(entry.get("times", 1) for entry in products))]:
        print(f"| {what} | {post:.3g} | {ours:.3g} | {ours / post:.2f} |")
    print(f"| their pairs of entries | not published | {sum(entry['flop'] for entry in products) / 2e9:.2f} x 10^9 | |")


def simulate(program, file, options):
    said = subprocess.run([program, "simulate", "--from", file, *options, "--json", "-"], check=True, capture_output=True, text=True)
    return json.loads(said.stdout)["simulated"]


def main(program, file, *options):
    recording = json.loads(text_of(pathlib.Path(file)))
    rows = simulate(program, file, options)
    cannot = [row for row in rows if row["cannot"]]
    rows = [row for row in rows if not row["cannot"]]
    print(f"{recording['note']}\n")
    rung_table(rows)
    copy_table(rows, recording)
    sparse_table(program, file, options, recording)
    for row in cannot:
        print(f"\n{row['row']}: cannot simulate: {row['cannot']}")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(str(pathlib.Path(sys.argv[1]).resolve()), *sys.argv[2:])
