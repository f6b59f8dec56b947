#!/usr/bin/env python3
"""What `tuneproof watch` costs a training's thread outside of its recordings, in pairs within one process.

Usage: scripts/watch_overhead.py TUNEPROOF PYTHON [--pairs 20] [--before]
PYTHON is one with torch. The training takes the recorder's hook off its optimizers and puts it back, in quads of blocks
(with, without, without, with): so a pair's two sides lie milliseconds apart, in the same process, at the same addresses.
By default the recording is over; with --before none has begun. Times are the thread's own processor time, the median step
of each block. Prints the median of the pairs' ratios and the interval that holds it with 95 % confidence. What is not in
it: `tuneproof` itself, which looks for notes twice a second on whichever processor is free.
"""

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

# One thread, so that a step's processor time is its own. The first 100 steps are for the recording.
TRAINING = """
import json, statistics, sys, time, torch
from torch.optim.optimizer import _global_optimizer_post_hooks as hooks
torch.set_num_threads(1)
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(128, 128), torch.nn.ReLU(), torch.nn.Linear(128, 128))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
batch = torch.randn(64, 128)
def step():
    begin = time.thread_time_ns()
    optimizer.zero_grad()
    model(batch).square().mean().backward()
    optimizer.step()
    return time.thread_time_ns() - begin
def block(kept):
    hooks.clear()
    hooks.update(kept)
    return statistics.median(step() for _ in range(20))
for _ in range(100):
    step()
watched = dict(hooks)
assert len(watched) == int(sys.argv[2]), watched
pairs = []
for _ in range(int(sys.argv[1])):
    sums = {True: 0, False: 0}
    for _ in range(25):
        for on in (True, False, False, True):
            sums[on] += block(watched if on else {})
    pairs.append([sums[False] / 50, sums[True] / 50])
hooks.clear()
hooks.update(watched)
print(json.dumps(pairs))
"""


def median_interval(values):
    """The order statistics that hold the median with 95 % confidence, or the ends where there are too few values."""
    values, count = sorted(values), len(values)
    rank, tail = 0, 0.0
    while rank < count // 2 and tail + math.comb(count, rank) / 2**count <= 0.025:
        tail += math.comb(count, rank) / 2**count
        rank += 1
    return values[max(rank - 1, 0)], values[count - max(rank, 1)]


def measured(arguments):
    """[[without, with]]: nanoseconds of a step, for each pair."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "train.py")
        with open(script, "w") as file:
            file.write(TRAINING)
        train = [os.path.abspath(shutil.which(arguments.python) or arguments.python), script, str(arguments.pairs)]
        options = ["--skip", str(10**6) if arguments.before else "5", "--steps", "1", "--"]
        command = [*train, "0"] if arguments.alone else [os.path.abspath(arguments.program), "watch", *options, *train, "1"]
        said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""})
    if said.returncode != 0:
        sys.exit(f"the training ended with {said.returncode}: {said.stderr.strip().splitlines()[-1:]}")
    return json.loads(said.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("python")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--before", action="store_true", help="measure before the first recording")
    parser.add_argument("--alone", action="store_true", help="without watch: how far equal sides differ")
    arguments = parser.parse_args()
    pairs = measured(arguments)
    ratios = [watched / alone for alone, watched in pairs]
    low, high = median_interval(ratios)
    print(f"a step of {statistics.median(alone for alone, _ in pairs) / 1e3:.1f} us, {len(pairs)} pairs: "
          f"{100 * (statistics.median(ratios) - 1):+.2f} % [{100 * (low - 1):+.2f}, {100 * (high - 1):+.2f}]")


if __name__ == "__main__":
    main()
