"""The licenses that scripts/bundle.sh collects: each library's, also where it is a link's target, and whole."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
LOADED = subprocess.run(["sh", "-c", "ldconfig -p || /sbin/ldconfig -p"], capture_output=True, text=True).stdout

if not shutil.which("dpkg-query") or "libstdc++.so.6 " not in LOADED:
    print("skipped: licenses are collected from Debian's packages")
    sys.exit(77)


class Licenses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bundle = pathlib.Path(folder.name)

    def collect(self, function):
        script = f'set -euo pipefail; source scripts/lib.sh; source scripts/bundle/licenses.sh; {function} "$1"'
        said = subprocess.run(["bash", "-c", script, "-", str(self.bundle)], cwd=PROJECT, capture_output=True, text=True,
                              env={**os.environ, "PATH": os.environ["PATH"] + ":/sbin"})
        return said, sorted(path.name for path in self.bundle.glob("licenses/*"))

    def library(self, name):
        (self.bundle / "lib").mkdir(exist_ok=True)
        (self.bundle / "lib" / name).write_bytes(b"")

    def test_a_library_by_its_name_and_by_that_of_the_file_behind_the_link(self):
        path = next(line.split("=> ")[1] for line in LOADED.splitlines() if "libstdc++.so.6 " in line)
        self.library("libstdc++.so.6")
        self.library(pathlib.Path(path).resolve().name)
        said, names = self.collect("licenses_of_libraries")
        self.assertEqual((said.returncode, names), (0, ["libstdc++6.txt"]), said)

    def test_a_library_of_nobody_is_told(self):
        self.library("libnobody.so.1")
        said, _ = self.collect("licenses_of_libraries")
        self.assertEqual(said.returncode, 1)
        self.assertEqual(said.stderr, "tuneproof: where libnobody.so.1 came from was not found.\n")

    def test_what_Debian_only_names_is_there_in_full(self):
        (self.bundle / "licenses").mkdir()
        (self.bundle / "licenses/one.txt").write_text("the text is in `/usr/share/common-licenses/Apache-2.0'.\n")
        said, names = self.collect("licenses_referred_to")
        self.assertEqual((said.returncode, names), (0, ["Apache-2.0.txt", "one.txt"]), said)


if __name__ == "__main__":
    unittest.main()
