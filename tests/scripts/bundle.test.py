"""The programs that scripts/bundle.sh packs: no larger than it promises, and none that only runs on the stand-in.

Usage: bundle.test.py PROJECT BUILD CMAKE
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROJECT, BUILD = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
CMAKE = sys.argv.pop(1)
MEBIBYTE = 1 << 20
BESIDE_PROGRAMS = 6 * MEBIBYTE  # data of tests, licenses, zstd


class Bundle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof.")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        subprocess.run([CMAKE, "--install", BUILD, "--component", "bundle", "--strip", "--prefix", cls.folder],
                       stdout=subprocess.DEVNULL, check=True)

    def test_it_is_smaller_than_promised(self):
        script = (PROJECT / "scripts/bundle.sh").read_text()
        promised = int(re.search(r"(?m)^most_megabytes=(\d+)$", script)[1]) * MEBIBYTE
        sizes = {file.name: file.stat().st_size for file in self.folder.rglob("*")
                 if file.is_file() and not file.is_symlink()}
        self.assertLess(sum(sizes.values()) + BESIDE_PROGRAMS, promised, sizes)

    def test_it_has_no_test_of_the_stand_in_which_it_does_not_carry(self):
        tests = [file.name for file in (self.folder / "tests").iterdir()]
        self.assertIn("tests_gpu", tests)
        self.assertEqual([name for name in tests if "stand_in" in name], [])


if __name__ == "__main__":
    unittest.main()
