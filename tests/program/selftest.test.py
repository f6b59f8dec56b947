"""The whole `tuneproof selftest`, with the real worker and two cheap pairs.

Usage: selftest.test.py TUNEPROOF PROJECT [unittest arguments]
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: the Python package jsonschema is not installed")
    sys.exit(77)

PROGRAM = pathlib.Path(sys.argv[1])
PROJECT = pathlib.Path(sys.argv[2])
SCHEMA = json.loads((PROJECT / "results/schema/selftest.schema.json").read_text())
PAIRS = ["selftest/copy/bytes:16KiB", "selftest/text"]
PATIENCE = 300  # on a machine that builds eight programs at once, too


class SelfTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof."))
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = self.folder / "s.json"

    def run_it(self, *arguments):
        return subprocess.run([PROGRAM, "selftest", *arguments], capture_output=True, text=True, timeout=PATIENCE,
                              cwd=self.folder, env={**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")})

    def assert_one_sentence(self, done, *parts):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_a_session_satisfies_the_schema_and_is_shown(self):
        done = self.run_it(*PAIRS, "--sessions", "1", "--json", self.file, "--seed", "0x1f", "--device", "cpu")
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(self.file.read_text())
        jsonschema.Draft202012Validator(SCHEMA).validate(document)
        self.assertEqual(document["seed"], "0x1f")
        self.assertEqual([pair["name"] for pair in document["pairs"]], PAIRS)
        for pair in document["pairs"]:
            self.assertEqual(pair["sessions"]["planted"], ["nothing"])
            self.assertIn(len(pair["aa_round_log_ratios"]), (3, 4, 6, 10, 14, 21, 35, 56))
            self.assertIn(pair["name"], done.stdout)
        self.assertIn("false claims", done.stdout)
        self.assertIn("session 1/1 A/A round 3/10", done.stderr)
        self.assertIn("not kept", done.stderr)
        self.assertFalse((self.folder / "cache").exists())

    def test_the_pairs_are_no_tips(self):
        for arguments in [["list"], ["run", "--dry-run", "--suite", "full", "--device", "cpu"]]:
            done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("selftest/", done.stdout)

    def test_a_pattern_that_matches_nothing_is_told_in_one_sentence(self):
        self.assert_one_sentence(self.run_it("selftest/cpoy"), "selftest/cpoy")

    def test_a_file_that_cannot_be_written_is_told_before_anything_runs(self):
        self.assert_one_sentence(self.run_it("selftest/text", "--json", self.folder / "none/s.json"), "none/s.json")

    def test_no_session_is_no_number(self):
        self.assert_one_sentence(self.run_it("--sessions", "0"), "--sessions")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
