#!/usr/bin/env python3
"""What docs/simulation.md says of rows that a real GPU measured is what scripts/simulated_measured.py prints today.

Usage: simulated_measured.test.py TUNEPROOF
"""

import gzip
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
PROJECT = pathlib.Path(__file__).resolve().parents[2]
RECORDINGS, RESULTS = PROJECT / "tests/golden/simulation", PROJECT / "results/h200"
PAGE = (PROJECT / "docs/simulation.md").read_text().splitlines()
H200 = ["--gpu", "h200", "--host", "cpp"]


def compared(*words):
    return subprocess.run([sys.executable, PROJECT / "scripts/simulated_measured.py", PROGRAM, *words], capture_output=True, text=True,
                          timeout=300)


class Measured(unittest.TestCase):
    def check(self, recording, names, rows):
        said = compared(RECORDINGS / recording, *[RESULTS / name for name in names], *H200)
        self.assertEqual(said.returncode, 0, said.stderr)
        shown = [line for line in said.stdout.splitlines() if line.startswith(("| ", "Of "))]
        self.assertEqual(len(shown), rows + 2)  # a head, and the counts
        for line in shown:
            self.assertTrue(line in PAGE, line)

    def test_the_quick_suite_of_an_H200(self):
        self.check("h200_quick.recording.json.gz", ["2026-11-26-7400cad.json.gz"], 22)

    def test_the_ladder_of_an_H200(self):
        self.check("h200_stgym.recording.json.gz", ["2026-11-26-7400cad-ladder.json.gz", "2026-11-26-7400cad-late-rungs.json.gz"], 12)

    def test_sparse_operators_of_a_traced_step(self):
        trace = PROJECT / "tests/golden/h200/naive_step.trace.json.gz"
        said = subprocess.run([sys.executable, PROJECT / "scripts/simulated_sparse.py", PROGRAM, "h200", trace,
                               RECORDINGS / "h200_stgym.recording.json.gz", "stgym/device_indices"], capture_output=True, text=True, timeout=300)
        self.assertEqual(said.returncode, 0, said.stderr)
        rows = [line for line in said.stdout.splitlines() if line.startswith("| aten::")]
        self.assertEqual(len(rows), 2)
        for line in rows:
            self.assertTrue(line in PAGE, line)

    def test_results_of_a_machine_without_a_GPU_are_refused(self):
        name = PROJECT / "results/cpu-amd-epyc-2-cores/2026-11-26-3073142.json.gz"
        said = compared(RECORDINGS / "h200_quick.recording.json.gz", name, *H200)
        self.assertEqual((said.returncode, said.stderr.strip()), (1, f"{name}: no GPU measured this"))

    def test_another_GPU_than_the_measured_one_is_refused(self):
        name = RESULTS / "2026-11-26-7400cad.json.gz"
        said = compared(RECORDINGS / "h200_quick.recording.json.gz", name, "--gpu", "t4")
        self.assertEqual((said.returncode, said.stderr.strip()), (1, "simulated on T4, and measured on NVIDIA H200"))
        said = compared(RECORDINGS / "h200_quick.recording.json.gz", name, "--gpu", "t4,h200")
        self.assertEqual((said.returncode, said.stderr.strip()), (1, "simulate: name one GPU with --gpu"))

    def test_a_file_that_is_not_there_is_named(self):
        said = compared(RECORDINGS / "h200_quick.recording.json.gz", "gone.json", *H200)
        self.assertEqual((said.returncode, said.stderr.strip()), (1, "gone.json: No such file or directory"))

    def test_results_of_the_stand_in_are_refused(self):
        content = json.loads(gzip.decompress((RESULTS / "2026-11-26-7400cad.json.gz").read_bytes()))
        content["tuneproof"]["fingerprint"]["hard"]["machine"]["gpu"]["name"] = "stand-in (no times)"
        with tempfile.TemporaryDirectory() as folder:
            name = pathlib.Path(folder) / "r.json"
            name.write_text(json.dumps(content))
            said = compared(RECORDINGS / "h200_quick.recording.json.gz", name, *H200)
        self.assertEqual((said.returncode, said.stderr.strip()), (1, f"{name}: no GPU measured this"))


if __name__ == "__main__":
    unittest.main()
