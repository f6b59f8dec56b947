#!/usr/bin/env python3
"""How long `tuneproof diagnose` takes beside `gzip -dc` of the same trace, on one core and on two, in pairs.

Usage: scripts/diagnose_speed.py PROGRAM TRACE.json.gz.. [--pairs 15]
Prints the medians of the wall clock and of the processor's time, which another program's load changes less.
"""

import argparse
import os
import resource
import statistics
import subprocess
import time


def took(command, cores):
    """Wall clock and processor time of one run, in seconds."""
    def pin():
        os.sched_setaffinity(0, cores)

    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, preexec_fn=pin)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pairs(program, trace, cores, count):
    """[(ours, gzip's)]: both in turns, so that a slower moment meets both; the first pair warms the caches."""
    commands = {"ours": [program, "diagnose", trace], "gzip": ["gzip", "-dc", trace]}
    measured = []
    for turn in range(count + 1):
        order = sorted(commands, reverse=turn % 2 == 1)
        run = {name: took(commands[name], cores) for name in order}
        measured.append((run["ours"], run["gzip"]))
    return measured[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("traces", nargs="+", metavar="TRACE.json.gz")
    parser.add_argument("--pairs", type=int, default=15)
    arguments = parser.parse_args()
    free = sorted(os.sched_getaffinity(0))
    print(f"{'trace':32} {'cores':>5} {'diagnose':>10} {'gzip':>10} {'ratio':>6}   processor time: {'diagnose':>8} {'gzip':>8} {'ratio':>6}")
    for trace in arguments.traces:
        for cores in [free[:1], free[:2]][:len(free)]:
            measured = pairs(arguments.program, trace, cores, arguments.pairs)

            def median(of):
                return statistics.median(of(ours, gzip) for ours, gzip in measured)

            name = os.path.basename(trace).removesuffix(".json.gz")
            print(f"{name:32} {len(cores):5} {1e3 * median(lambda a, b: a[0]):7.1f} ms {1e3 * median(lambda a, b: b[0]):7.1f} ms "
                  f"{median(lambda a, b: a[0] / b[0]):6.2f}   {'':15} {1e3 * median(lambda a, b: a[1]):5.1f} ms "
                  f"{1e3 * median(lambda a, b: b[1]):5.1f} ms {median(lambda a, b: a[1] / b[1]):6.2f}")


if __name__ == "__main__":
    main()
