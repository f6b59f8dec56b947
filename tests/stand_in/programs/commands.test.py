"""Commands of tuneproof that measure a device, on the stand-in: what they say of function, never of time.

Usage: commands.test.py TUNEPROOF [unittest arguments], with the stand-in preloaded (see programs/CMakeLists.txt)
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
PATIENCE = 900
LADDER = ["--suite", "full", "--scale", "0.002", "--device", "cuda:0", "--seed", "1"]


def rows_of(file):
    try:
        return json.loads(file.read_text())["tuneproof"]["pairs"]
    except (FileNotFoundError, ValueError, KeyError):
        return []


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof."))
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE,
                              cwd=self.folder)

    def one_round(self, *arguments):
        """Rows by name after the rehearsal and one round: the file is written behind each, then the run is stopped."""
        file = self.folder / "run.json"
        run = subprocess.Popen([PROGRAM, "run", *arguments, "--json", file], cwd=self.folder, stderr=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, text=True)
        begin = time.monotonic()
        while run.poll() is None and time.monotonic() - begin < PATIENCE:
            rows = rows_of(file)
            if rows and any(row["round_log_ratios"] for row in rows):
                run.send_signal(signal.SIGINT)
                break
            time.sleep(0.2)
        said = run.communicate(timeout=PATIENCE)[1]
        rows = {row["id"]: row for row in rows_of(file)}
        self.assertTrue(rows, said)
        failed = {name: row["reason"] for name, row in rows.items() if row["verdict"] == "failed"}
        self.assertEqual(failed, {}, said)
        return rows


class Ladder(Folder):
    def test_every_rung_gives_the_same_answer_in_both_forms_and_is_timed(self):
        rows = self.one_round("stgym/*", *LADDER)
        for rung in ("cuda_graph", "prefetch", "fused_pooling", "bf16"):
            ran = [row for name, row in rows.items() if name.startswith(f"stgym/{rung}/") and row["round_log_ratios"]]
            self.assertTrue(ran, f"{rung}: no row ran")


class Space(Folder):
    def test_each_configuration_that_ships_trains_in_both_forms(self):
        for name in ("benchmark", "clustering", "graphs", "deep"):
            with self.subTest(name):
                rows = self.one_round("stgym/segment_pooling*", "--config", name, *LADDER)
                self.assertTrue(any(row["round_log_ratios"] for row in rows.values()))


class Profile(Folder):
    def test_both_forms_of_a_row_leave_a_trace_that_diagnose_reads(self):
        done = self.call("profile", "sync/item_every_step/n:128/device:cuda", "--schedule", "wait=1,warmup=1,active=2")
        self.assertEqual(done.returncode, 0, done.stderr)
        traces = sorted((self.folder / "profiles").iterdir())
        self.assertEqual(len(traces), 2)
        for trace in traces:
            self.assertEqual(self.call("diagnose", trace).returncode, 0)


class Prices(Folder):
    def test_every_price_of_the_device_is_taken(self):
        done = self.call("prices", "--device=cuda:0", "--benchmark_min_time=0.0001", "--benchmark_format=json")
        self.assertEqual(done.returncode, 0, done.stderr)
        prices = json.loads(done.stdout)["benchmarks"]
        self.assertGreater(len(prices), 20)
        self.assertEqual([row["name"] for row in prices if row.get("error_occurred")], [])


class Gate(Folder):
    def test_two_programs_are_compared_only_where_that_is_asked_for(self):
        words = ["compare", "--base", PROGRAM.parent, "--head", PROGRAM.parent, "sync/item_every_step/n:128/device:cuda",
                 "--no-selftest", "--dry-run"]
        refused = self.call(*words)
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertEqual(refused.stderr, "tuneproof: compare: the stand-in device has no times; "
                                         "--allow-stand-in compares all the same\n")
        allowed = self.call(*words, "--allow-stand-in")
        self.assertEqual(allowed.returncode, 0, allowed.stderr)
        self.assertIn("STAND-IN: no GPU took part", allowed.stderr)


class Doctor(Folder):
    def test_the_device_is_found_and_named_for_what_it_is(self):
        done = self.call("doctor")
        self.assertIn("stand-in (no times)", done.stdout, done.stderr)


if __name__ == "__main__":
    unittest.main()
