#!/usr/bin/env python3
"""What docs/simulation.md says of recorded kernels and queues is what the scripts print today, line by line.

Usage: simulated_judges.test.py TUNEPROOF
"""

import os
import pathlib
import subprocess
import sys
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
PROJECT = pathlib.Path(__file__).resolve().parents[2]
TRACES = pathlib.Path(os.environ.get("TUNEPROOF_TRACES_DIR", PROJECT.parent / "shared/traces"))
PAGE = (PROJECT / "docs/simulation.md").read_text()

if not TRACES.is_dir():
    print(f"skipped: {TRACES} is not there")
    sys.exit(77)


class Judges(unittest.TestCase):
    def check(self, script, gpu, trace):
        said = subprocess.run([sys.executable, PROJECT / "scripts" / script, PROGRAM, gpu, TRACES / f"{trace}.json.gz"],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(said.returncode, 0, said.stderr)
        rows = [line for line in said.stdout.splitlines() if line.startswith(f"| {trace} ")]
        self.assertTrue(rows, said.stdout)
        for row in rows:
            self.assertIn(row, PAGE)

    def test_recorded_kernels_of_a_v100(self):
        self.check("simulated_kernels.py", "v100", "v100_resnet50_workers0")

    def test_recorded_kernels_of_an_a100(self):
        self.check("simulated_kernels.py", "a100-40", "a100_large")

    def test_recorded_queues(self):
        self.check("simulated_queues.py", "a100-40", "a100_large")
        self.check("simulated_queues.py", "v100", "v100_train")


if __name__ == "__main__":
    unittest.main()
