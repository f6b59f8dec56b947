"""`scripts/build.sh library` in a fresh clone, which builds more files at a time than the whole build does, and its wheel.

Usage: library.test.py PROJECT. Label network: pip fetches CMake.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(sys.argv.pop(1))
PAIR = """
import tuneproof
def slow(): return sum([i * 2 for i in range(40000)])
def fast(): return 1599960000
def wrong(): return 1
if __name__ == "__main__":
    print(tuneproof.compare(slow, fast, quiet=True).change < -0.5, tuneproof.compare(slow, wrong, quiet=True).verdict)
"""


def ran(*command, **more):
    return subprocess.run([str(part) for part in command], text=True, capture_output=True, timeout=1800, check=False, **more)


def files_of(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix != ".pyc" and path.name != "__pycache__")


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof-library"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.clone = cls.folder / "clone"
        subprocess.run(["git", "clone", "-q", PROJECT, cls.clone], check=True)
        cls.built = ran(cls.clone / "scripts/build.sh", "library")
        assert cls.built.returncode == 0, cls.built.stderr[-3000:]

    def test_a_fresh_clone_builds_without_LibTorch_and_CUDA(self):
        self.assertNotIn("warning:", self.built.stderr)
        self.assertNotIn("export Torch_DIR", (self.clone / ".deps/library/env.sh").read_text())
        said = ran(self.clone / "build-library/tuneproof", "--version")
        self.assertIn("without CUDA and LibTorch", said.stdout)

    def test_its_wheel_does_in_an_environment_without_torch_what_needs_no_steps(self):
        packed = ran(self.clone / "scripts/wheel.sh", "library", "--out", self.folder)
        self.assertEqual(packed.returncode, 0, packed.stderr)
        [wheel] = self.folder.glob("*.whl")
        self.assertRegex(wheel.name, r"^tuneproof-[\d.]+-py3-none-manylinux_2_36_x86_64[.]whl$")
        self.assertEqual(ran(sys.executable, "-m", "venv", self.folder / "venv").returncode, 0)
        before, binaries = files_of(self.folder / "venv"), self.folder / "venv/bin"
        installed = ran(binaries / "pip", "install", "--no-index", "--find-links", self.folder, "tuneproof")
        self.assertEqual(installed.returncode, 0, installed.stderr)

        results = self.folder / "r.json"
        gate = ["versus", "echo value 10", "echo value 20", "--metric-from", r"value (\d+)", "--json", results, "--fail-above", "3%"]
        self.assertEqual(ran(binaries / "python", "-m", "tuneproof", *gate).returncode, 2)
        for words in [["compare", results, results], ["report", results, "--markdown"],
                      ["history", "add", results, "--db", self.folder / "h.sqlite"],
                      ["diagnose", PROJECT / "docs/learn/traces/training.json"]]:
            done = ran(binaries / "tuneproof", *words)
            self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")
        for command in ("run", "list"):
            done = ran(binaries / "tuneproof", command)
            self.assertEqual((done.returncode, done.stderr),
                             (1, f"tuneproof: `tuneproof {command}` is about published tips, and this wheel has none; "
                                 "install one with +torch in its name\n"))
        (self.folder / "pairs.py").write_text(PAIR)
        done = ran(binaries / "python", "pairs.py", cwd=self.folder, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        self.assertEqual(done.stdout, "True failed\n", done.stderr)

        self.assertEqual(ran(binaries / "pip", "uninstall", "-y", "tuneproof").returncode, 0)
        self.assertEqual(files_of(self.folder / "venv"), before)


if __name__ == "__main__":
    unittest.main()
