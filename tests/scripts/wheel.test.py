"""The wheel: packed, installed, used without torch and with it, and gone again.

Usage: wheel.test.py PROJECT BUILD [unittest arguments]. Label network: pip fetches what packs the wheel.
Exits with 77 where the build was made by hand, without scripts/build.sh.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

PROJECT, BUILD = (pathlib.Path(sys.argv.pop(1)) for _ in range(2))
TORCH = json.loads((BUILD / "wheel/needs.json").read_text())["torch"]
TRACE = PROJECT / "docs/learn/traces/training.json"

# What the wheel takes from torch's environment.
OF_TORCH = ["libtorch.so", "libtorch_cpu.so", "libtorch_cuda.so", "libc10.so", "libc10_cuda.so", "libcudart.so.13"]
AUDIT_WHEELS = re.search(r'^audit_wheels="([^"]+)"', (PROJECT / "scripts/versions.sh").read_text(), re.M)[1].split()


def ran(*command):
    return subprocess.run([str(part) for part in command], text=True, capture_output=True, timeout=1800)


def files_of(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix != ".pyc" and path.name != "__pycache__")


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof-wheel"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        packed = ran(PROJECT / "scripts/wheel.sh", "--torch", TORCH, "--out", cls.folder)
        assert packed.returncode == 0, packed.stderr
        [cls.wheel] = cls.folder.glob("*.whl")
        assert ran(sys.executable, "-m", "venv", cls.folder / "venv").returncode == 0
        cls.bin = cls.folder / "venv/bin"
        cls.before = files_of(cls.folder / "venv")
        installed = ran(cls.bin / "pip", "install", "--no-deps", cls.wheel)
        assert installed.returncode == 0, installed.stderr

    @classmethod
    def tearDownClass(cls):
        assert ran(cls.bin / "pip", "uninstall", "-y", "tuneproof").returncode == 0
        assert files_of(cls.folder / "venv") == cls.before, "pip uninstall leaves nothing"

    def test_it_is_small_and_says_what_it_needs(self):
        minor = re.escape(TORCH.rpartition(".")[0])
        self.assertRegex(self.wheel.name, rf"^tuneproof-[\d.]+[+]torch{minor}-py3-none-manylinux_2_36_x86_64[.]whl$")
        self.assertLess(self.wheel.stat().st_size, 15e6)
        with zipfile.ZipFile(self.wheel) as wheel:
            names = wheel.namelist()
            metadata = wheel.read(next(name for name in names if name.endswith("METADATA"))).decode()
        self.assertIn(f"Requires-Dist: torch~={TORCH}\n", metadata)
        for license in ["LICENSE", "torch-LICENSE", "libfmt9", "charts-of-report"]:
            self.assertTrue(any(f"licenses/{license}" in name for name in names), license)

    def test_auditwheel_finds_all_libraries_within_but_those_of_torch(self):
        """Its rules for manylinux: no newer symbols of the C library than the name promises, and no library from outside."""
        tools = self.folder / "auditwheel"
        self.assertEqual(ran(sys.executable, "-m", "venv", tools).returncode, 0)
        installed = ran(tools / "bin/pip", "install", *AUDIT_WHEELS)
        self.assertEqual(installed.returncode, 0, installed.stderr)
        excluded = [word for library in OF_TORCH for word in ("--exclude", library)]
        done = subprocess.run([tools / "bin/auditwheel", "repair", "--plat", "manylinux_2_36_x86_64", *excluded, "-w",
                               self.folder / "repaired", self.wheel], text=True, capture_output=True, timeout=600,
                              env={**os.environ, "PATH": f"{tools / 'bin'}:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("Grafting", done.stdout + done.stderr)
        [repaired] = (self.folder / "repaired").glob("*.whl")
        with zipfile.ZipFile(repaired) as after, zipfile.ZipFile(self.wheel) as before:
            libraries = [{name for name in wheel.namelist() if ".so" in name} for wheel in (before, after)]
        self.assertEqual(*libraries)

    def test_without_torch_the_commands_that_need_none_work(self):
        for command in [["diagnose", TRACE], ["explain", "sync/item_every_step"], ["list"], ["compare", "--help"],
                        ["history", "--help"], ["learn", "--help"], ["report", "--help"]]:
            done = ran(self.bin / "tuneproof", *command)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(ran(self.bin / "python", "-m", "tuneproof", "list").returncode, 0)

    def test_without_torch_a_command_that_measures_says_in_one_sentence_what_to_do(self):
        done = ran(self.bin / "tuneproof", "run", "sync/item_every_step")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^tuneproof: `tuneproof run` needs torch ~= [\d.]+, and this environment has none; "
                                      r"run `pip install 'torch~=[\d.]+'`\n$")

    def test_another_torch_is_not_taken_by_pip_and_named_by_the_program(self):
        [site] = (self.folder / "venv/lib").glob("python*/site-packages")
        other = site / "torch-2.3.0.dist-info"
        other.mkdir()
        self.addCleanup(shutil.rmtree, other)
        (other / "METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 2.3.0\n")
        installed = ran(self.bin / "pip", "install", "--no-index", "--force-reinstall", "--find-links", self.folder, "tuneproof")
        self.assertNotEqual(installed.returncode, 0)
        self.assertIn(f"torch~={TORCH}", installed.stderr)
        done = ran(self.bin / "tuneproof", "run", "sync/item_every_step")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^tuneproof: `tuneproof run` needs .*, and this environment has 2[.]3[.]0; install .*\n$")


if __name__ == "__main__":
    if not (BUILD / "env.sh").exists():
        print(f"skipped: scripts/build.sh has not made {BUILD}")
        sys.exit(77)
    unittest.main()
