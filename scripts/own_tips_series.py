#!/usr/bin/env python3
"""How often a user's own tip gets the right verdict: equal forms, and forms of which one does a tenth less.

Usage: scripts/own_tips_series.py BUILD CMAKE [--equal 20] [--planted 10] [--json FILE]
Runs both ways to a tip of one's own: a C++ program against the installed library, and tuneproof.compare() in Python. The
machine should be quiet. Prints each verdict with its interval and how many were right; exit code 1 if one was wrong.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent

PROGRAM = """
#include <algorithm>
#include <cstdint>
#include <memory>
#include <tuneproof.hpp>
using namespace tuneproof;
namespace {
std::uint32_t mixed(int turns) {
  std::uint32_t last = 0;
  for (int turn = 0; turn < turns; ++turn) {
    last = static_cast<std::uint32_t>(turn % 10);
    for (int i = 0; i < 20000; ++i) last = last * 1664525U + 1013904223U;
  }
  return last;
}
template <int naive, int optimized>
Trial prepare(Setup&, const Point&) {
  const auto last = std::make_shared<std::uint32_t>();
  return {.naive = [=] { *last = mixed(naive); }, .optimized = [=] { *last = mixed(optimized); },
          .clear = [=] { *last = 0; }, .answer = [=](Form) -> Answer { return std::vector<float>{float(*last)}; }};
}
constexpr Step equal = tip({.id = "series/equal", .claim = "It helps.", .runs = Runs::host, .prepare = prepare<100, 100>});
constexpr Step planted = tip({.id = "series/planted", .claim = "It helps.", .runs = Runs::host, .prepare = prepare<100, 90>});
}  // namespace
int main(int argc, char** argv) { return program(argc, argv, {&equal, &planted}); }
"""
MODULE = """
def mixed(turns):
    for turn in range(turns):
        last = turn % 10
        for _ in range(2000):
            last = (last * 1664525 + 1013904223) & 0xFFFFFFFF
    return last
def whole(): return mixed(100)
def again(): return mixed(100)
def ninety(): return mixed(90)
"""


def ran(*command):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{command[0]} ended with {done.returncode}: {done.stdout}{done.stderr}")


def program_in(folder, build, cmake):
    source = folder / "own"
    source.mkdir()
    (source / "CMakeLists.txt").write_text((PROJECT / "examples/own_tip/CMakeLists.txt").read_text())
    (source / "own_tip.cpp").write_text(PROGRAM)
    ran(cmake, "--install", build, "--component", "library", "--prefix", folder / "prefix")
    ran(cmake, "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={folder / 'prefix'}")
    ran(cmake, "--build", source / "build")
    return source / "build/own_tip"


def by_program(program, kind, folder):
    """(verdict, low, high, rounds) of one run of the step."""
    results = folder / "r.json"
    results.unlink(missing_ok=True)
    ran(program, "run", f"series/{kind}", "--json", results)
    row = json.loads(results.read_text())["tuneproof"]["pairs"][0]
    return row["result"]["verdict"], row["result"]["ratio_ci"], len(row["round_log_ratios"])


def by_python(tuneproof, module, kind):
    done = tuneproof.compare(module.whole, module.again if kind == "equal" else module.ninety, quiet=True)
    row = done.results["tuneproof"]["pairs"][0]
    return row["result"]["verdict"], row["result"]["ratio_ci"], len(row["round_log_ratios"])


def series(name, measure, counts):
    """How many of each kind were right; one line for each run."""
    right = collections.Counter()
    lines = []
    for kind, times in counts.items():
        wanted = {"equal": {"no_effect", "inconclusive"}, "planted": {"helps"}}[kind]
        for number in range(times):
            verdict, interval, rounds = measure(kind)
            right[kind] += verdict in wanted
            lines.append({"way": name, "kind": kind, "verdict": verdict, "ratio": interval, "rounds": rounds})
            print(name, kind, f"{number + 1}/{times}", verdict, interval, f"{rounds} rounds", flush=True)
    return right, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("cmake")
    parser.add_argument("--equal", type=int, default=20)
    parser.add_argument("--planted", type=int, default=10)
    parser.add_argument("--json", type=pathlib.Path)
    asked = parser.parse_args()
    counts = {"equal": asked.equal, "planted": asked.planted}
    with tempfile.TemporaryDirectory(prefix="series") as made:
        folder = pathlib.Path(made)
        program = program_in(folder, asked.build, asked.cmake)
        ran(asked.cmake, "--install", asked.build, "--component", "wheel", "--prefix", folder)
        (folder / "tips.py").write_text(MODULE)
        sys.path.insert(0, str(folder))
        os.chdir(folder)
        import tips
        import tuneproof
        outcomes = {"program": series("program", lambda kind: by_program(program, kind, folder), counts),
                    "Python": series("Python", lambda kind: by_python(tuneproof, tips, kind), counts)}
    if asked.json:
        asked.json.write_text(json.dumps([line for _, lines in outcomes.values() for line in lines], indent=1) + "\n")
    for name, (right, _) in outcomes.items():
        print(f"{name}: equal forms {right['equal']} of {asked.equal}, a tenth less {right['planted']} of {asked.planted}")
    sys.exit(any(right[kind] < counts[kind] for right, _ in outcomes.values() for kind in counts))


if __name__ == "__main__":
    main()
