"""Packed results files (.json.gz): every command reads them, and damaged ones are refused in one sentence.

Usage: packed.test.py TUNEPROOF PROJECT
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from memory_limit import limited

PROGRAM, PROJECT = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
MACHINE = PROJECT / "results/cpu-amd-epyc-2-cores"
PACKED = MACHINE / "2026-11-21-1697d9f.json.gz"
SELF_TEST = MACHINE / "selftest-2026-11-21-67d9b7a.json.gz"
PRICES = MACHINE / "prices-2026-11-22-9645ea4.json"


def call(*arguments):
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "GITHUB_STEP_SUMMARY")}
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, env=kept, stdin=subprocess.DEVNULL,
                          preexec_fn=limited(PROGRAM))


class Packed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.plain = self.folder / "plain" / PACKED.stem
        self.plain.parent.mkdir()
        self.plain.write_bytes(gzip.decompress(PACKED.read_bytes()))

    def packed(self, path, name=None):
        file = self.folder / f"{name or path.name}.gz"
        file.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
        return file

    def second_node(self):
        content = json.loads(self.plain.read_text())
        content["tuneproof"]["session"]["id"] = "another"
        content["tuneproof"]["fingerprint"]["info"]["host_name"] = "another"
        file = self.folder / "nodes/another.json.gz"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(gzip.compress(json.dumps(content).encode()))
        return file

    def commands(self, file):
        """What reads a results file. Each is a list of words, and whether it names the file in what it prints."""
        return [["compare", file, file], ["history", "add", file, "--db", self.folder / "h.sqlite"],
                ["export", "csv", file], ["merge", file], ["report", file, "-o", self.folder / "r.html"],
                ["explain", "stgym/single_tail", "--results", file],
                ["learn", "42_ladder", "--results", file, "--progress", self.folder / "learn.json"]]

    def test_a_packed_file_says_what_the_plain_one_says(self):
        file = self.packed(self.plain)
        for plain, packed in zip(self.commands(self.plain), self.commands(file)):
            with self.subTest(plain[0]):
                for path in ["h.sqlite", "learn.json"]:
                    (self.folder / path).unlink(missing_ok=True)
                expected = call(*plain)
                for path in ["h.sqlite", "learn.json"]:
                    (self.folder / path).unlink(missing_ok=True)
                said = call(*packed)
                self.assertEqual(said.returncode, expected.returncode, said.stderr)
                self.assertEqual(said.stdout.replace(str(file), str(self.plain)).split(), expected.stdout.split())

    def test_a_folder_of_packed_files_is_merged(self):
        other = self.second_node()
        (other.parent / f"{self.plain.name}.gz").write_bytes(self.packed(self.plain).read_bytes())
        said = call("merge", other.parent)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("another", said.stdout)

    def test_packed_prices_and_self_tests_are_read(self):
        said = call("report", self.packed(PRICES), SELF_TEST, "-o", self.folder / "r.html")
        self.assertEqual(said.returncode, 0, said.stderr)
        said = call("explain", "transfer/batch_small", "--prices", self.packed(PRICES))
        self.assertEqual(said.returncode, 0, said.stderr)

    def refused(self, file, sentence):
        for command in self.commands(file):
            with self.subTest(command[0]):
                said = call(*command)
                self.assertEqual(said.returncode, 1, said)
                self.assertEqual(said.stderr.count("\n"), 1, said.stderr)
                self.assertIn(f"{file}: ", said.stderr)
                self.assertRegex(said.stderr, sentence)

    def test_a_file_that_was_cut_short_is_refused(self):
        file = self.packed(self.plain)
        file.write_bytes(file.read_bytes()[:20_000])
        self.refused(file, "truncated")

    def test_a_file_that_unpacks_without_end_is_refused(self):
        file = self.folder / "bomb.json.gz"
        member = gzip.compress(b" " * (1 << 24), mtime=0)
        file.write_bytes(member * 64)  # 1 GiB in 1 MiB; the last member's own size is 16 MiB
        self.refused(file, "more than the 134217728 bytes")

    def test_a_file_that_lies_about_its_size_is_refused(self):
        file = self.folder / "liar.json.gz"
        file.write_bytes(gzip.compress(b" " * (1 << 28), mtime=0)[:-4] + (1).to_bytes(4, "little"))
        self.refused(file, "more than the 134217728 bytes|damaged")

    def test_a_packed_file_is_not_resumed(self):
        file = self.packed(self.plain)
        kept = file.read_bytes()
        said = call("run", "--resume", file)
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertEqual(said.stderr, f"tuneproof: {file}: cannot resume a packed file; run gunzip on it first\n")
        self.assertEqual(file.read_bytes(), kept)


if __name__ == "__main__":
    unittest.main()
