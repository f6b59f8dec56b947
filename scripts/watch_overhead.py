#!/usr/bin/env python3
"""What `tuneproof watch` costs a training outside of its recordings: pairs of runs, alone and watched, in turns.

Usage: scripts/watch_overhead.py TUNEPROOF PYTHON [--pairs 20] [--steps 2000] [--before]
PYTHON is one with torch. By default a recording is over when the measured steps begin; with --before none has begun. Of
each run's steps the fastest tenth decides, by the thread's own processor time: what other programs take of the processor
is not in it. Prints the median of the pairs' ratios and the interval that holds it with 95 % confidence.
"""

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile

# One thread, so that a step's processor time is its own. The first steps are for the recording.
TRAINING = """
import sys, time, torch
torch.set_num_threads(1)
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(128, 128), torch.nn.ReLU(), torch.nn.Linear(128, 128))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
batch = torch.randn(64, 128)
took = []
for step in range(100 + int(sys.argv[1])):
    begin = time.thread_time_ns()
    optimizer.zero_grad()
    model(batch).square().mean().backward()
    optimizer.step()
    took.append(time.thread_time_ns() - begin)
took = sorted(took[100:])
print(took[len(took) // 20])
"""


def fast_step(command, folder):
    """Nanoseconds of the step that is faster than 19 in 20 of one run."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    said = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if said.returncode != 0:
        sys.exit(f"{command[0]} ended with {said.returncode}: {said.stderr.strip().splitlines()[-1:]}")
    return int(said.stdout)


def median_interval(values):
    """The order statistics that hold the median with 95 % confidence, or the ends where there are too few values."""
    values, count = sorted(values), len(values)
    rank, tail = 0, 0.0
    while rank < count // 2 and tail + math.comb(count, rank) / 2**count <= 0.025:
        tail += math.comb(count, rank) / 2**count
        rank += 1
    return values[max(rank - 1, 0)], values[count - max(rank, 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("python")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--before", action="store_true", help="measure before the first recording")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "train.py")
        with open(script, "w") as file:
            file.write(TRAINING)
        alone = [arguments.python, script, str(arguments.steps)]
        skip = str(10**9) if arguments.before else "5"
        watched = [os.path.abspath(arguments.program), "watch", "--skip", skip, "--steps", "1", "--", *alone]
        ratios, steps = [], []
        for pair in range(arguments.pairs):
            order = [alone, watched] if pair % 2 == 0 else [watched, alone]
            took = {id(command): fast_step(command, folder) for command in order}
            steps.append(took[id(alone)])
            ratios.append(took[id(watched)] / took[id(alone)])
            print(f"pair {pair + 1}: {took[id(alone)] / 1e3:.1f} us, {100 * (ratios[-1] - 1):+.2f} %", file=sys.stderr, flush=True)
    low, high = median_interval(ratios)
    print(f"a step of {statistics.median(steps) / 1e3:.1f} us, {arguments.pairs} pairs: "
          f"{100 * (statistics.median(ratios) - 1):+.2f} % [{100 * (low - 1):+.2f}, {100 * (high - 1):+.2f}]")


if __name__ == "__main__":
    main()
