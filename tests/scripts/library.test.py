"""`scripts/build.sh library` in a fresh clone: it builds more files at a time than the whole build does.

Usage: library.test.py PROJECT. Label network: pip fetches CMake.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(sys.argv.pop(1))


class Library(unittest.TestCase):
    def test_a_fresh_clone_builds_and_installs_without_LibTorch_and_CUDA(self):
        with tempfile.TemporaryDirectory(prefix="tuneproof-library") as folder:
            clone = pathlib.Path(folder) / "clone"
            subprocess.run(["git", "clone", "-q", PROJECT, clone], check=True)
            built = subprocess.run([clone / "scripts/build.sh", "library"], text=True, capture_output=True, check=False)
            self.assertEqual(built.returncode, 0, built.stderr[-3000:])
            self.assertNotIn("warning:", built.stderr)
            self.assertNotIn("export Torch_DIR", (clone / ".deps/library/env.sh").read_text())
            said = subprocess.run([clone / "build-library/tuneproof", "--version"], text=True, capture_output=True, check=True)
            self.assertIn("without CUDA and LibTorch", said.stdout)


if __name__ == "__main__":
    unittest.main()
