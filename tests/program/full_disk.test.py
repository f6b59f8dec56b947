#!/usr/bin/env python3
"""What the program does where nothing more can be stored. Usage: full_disk.test.py PROGRAM PROJECT

Mounts a small file system in a namespace of its own; skipped (77) where this user may not."""

import gzip
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
PROJECT = pathlib.Path(sys.argv[2])
RESULTS = PROJECT / "results/cpu-amd-epyc-2-cores/2026-11-21-1697d9f.json.gz"
NAMESPACE = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
MOUNT = "mount -t tmpfs -o size=64k tmpfs "


class FullDisk(unittest.TestCase):
    def setUp(self):
        self.disk = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof."))
        self.addCleanup(shutil.rmtree, self.disk)

    def on_full_disk(self, *arguments, before="true"):
        """Runs tuneproof where `before` has filled the disk; gives what it said, and the files then there."""
        script = (f"{MOUNT} {self.disk} && cd {self.disk} && {before} && cat /dev/zero 2>/dev/null > fill; "
                  '"$@"; echo "code $?"; sha256sum $(ls -A | grep -v "^fill$") </dev/null')
        done = subprocess.run([*NAMESPACE, "sh", "-c", script, "sh", PROGRAM, *arguments], capture_output=True,
                              text=True, timeout=100)
        out, _, files = done.stdout.rpartition("code ")
        code, _, listing = files.partition("\n")
        sums = {name: digest for digest, name in (line.split() for line in listing.splitlines() if line.count(" ") == 2)}
        sums.pop("-", None)
        return int(code), out, done.stderr, sums

    def assert_one_sentence(self, code, stderr, name):
        self.assertEqual(code, 1, stderr)
        self.assertEqual(len(stderr.splitlines()), 1, stderr)
        self.assertIn(name, stderr)

    def test_a_history_that_cannot_be_made_leaves_no_file(self):
        code, _, stderr, files = self.on_full_disk("history", "add", RESULTS, "--db", "h.sqlite")
        self.assert_one_sentence(code, stderr, "h.sqlite")
        self.assertEqual(files, {})

    def test_an_old_history_stays_as_it_was(self):
        make = f"{PROGRAM} history add {RESULTS} --db h.sqlite >/dev/null && cp h.sqlite {self.disk}.old"
        self.addCleanup(pathlib.Path(f"{self.disk}.old").unlink, missing_ok=True)
        other = json.loads(gzip.decompress(RESULTS.read_bytes()))
        other["tuneproof"]["session"]["id"] = "another"
        newer = self.disk.parent / f"{self.disk.name}.json"
        newer.write_text(json.dumps(other))
        self.addCleanup(newer.unlink)
        code, _, stderr, files = self.on_full_disk("history", "add", newer, "--db", "h.sqlite", before=make)
        self.assert_one_sentence(code, stderr, "h.sqlite")
        kept = subprocess.run(["sha256sum", f"{self.disk}.old"], capture_output=True, text=True).stdout.split()[0]
        self.assertEqual(files, {"h.sqlite": kept})

    def test_a_report_for_ci_is_refused_before_anything_is_compared(self):
        code, out, stderr, files = self.on_full_disk("compare", RESULTS, RESULTS, "--junit", "j.xml",
                                                     before="echo old > j.xml")
        self.assert_one_sentence(code, stderr, "j.xml: cannot be written: No space left on device")
        self.assertEqual(out, "")
        self.assertEqual(files, {"j.xml": hashlib.sha256(b"").hexdigest()})  # no green report of an earlier job

    def test_event_files_that_cannot_be_made_leave_no_folder(self):
        code, out, stderr, files = self.on_full_disk("export", "tensorboard", RESULTS, "-o", "new/events")
        self.assert_one_sentence(code, stderr, "cannot be written: No space left on device")
        self.assertEqual((out, files), ("", {}))

    def test_a_course_that_cannot_be_kept_leaves_no_folder(self):
        code, _, stderr, _ = self.on_full_disk("learn", "--list", "--progress", "new/learn.json")
        self.assert_one_sentence(code, stderr, "new/learn.json: cannot be written: No space left on device")

    def test_a_results_file_is_refused_before_anything_is_measured(self):
        code, out, stderr, files = self.on_full_disk("run", "sync/item_every_step", "--device", "cpu", "--json", "r.json")
        self.assert_one_sentence(code, stderr, "r.json: cannot be written: No space left on device")
        self.assertEqual((out, files), ("", {}))


if __name__ == "__main__":
    may = subprocess.run([*NAMESPACE, "sh", "-c", MOUNT + tempfile.gettempdir()], capture_output=True, text=True)
    if may.returncode != 0:
        print("SKIPPED: a file system cannot be mounted here:", may.stderr.strip())
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
