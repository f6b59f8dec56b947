"""No command takes a file that was measured on the stand-in device for a measurement.

Usage: stand_in_files.test.py TUNEPROOF PROJECT
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PROJECT = str(pathlib.Path(sys.argv.pop(1)).resolve()), pathlib.Path(sys.argv.pop(1)).resolve()
MACHINE = PROJECT / "results/cpu-amd-epyc-2-cores"
RUN = MACHINE / "2026-11-21-1697d9f.json.gz"
PRICES, SELFTEST = max(MACHINE.glob("prices-*.json")), MACHINE / "selftest-2026-11-21-67d9b7a.json.gz"
STEP = json.loads(gzip.decompress(RUN.read_bytes()))["tuneproof"]["pairs"][0]["step"]
GPU = {"name": "stand-in (no times)", "compute_capability": "9.0"}


class StandInFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.run_file = self.measured(RUN, "run.json")

    def measured(self, file, name):
        """The file as the stand-in would have written it."""
        content = json.loads(gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes())
        if "context" in content and "tuneproof" not in content:
            content["context"]["gpu"] = GPU["name"]
        else:
            content.get("tuneproof", content)["fingerprint"]["hard"]["machine"]["gpu"] = GPU
        (self.folder / name).write_text(json.dumps(content))
        return self.folder / name

    def call(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env={**os.environ, "XDG_STATE_HOME": str(self.folder)})

    def check(self, *arguments, file="run.json"):
        """Refused in one sentence that names the file; with the option it is taken, and stderr says what it is."""
        said = self.call(*arguments)
        self.assertEqual((said.returncode, said.stdout), (1, ""), said)
        self.assertRegex(said.stderr, rf"\Atuneproof: [^\n]*{file}: was measured on the stand-in device, [^\n]+\n\Z")
        self.assertIn("--allow-stand-in", said.stderr)
        said = self.call(*arguments, "--allow-stand-in")
        self.assertIn("STAND-IN: no GPU took part", said.stderr)
        self.assertNotIn("was measured on the stand-in device", said.stderr)
        return said

    def check_page(self):
        """The page itself says what it is of, wherever it is copied to."""
        page = (self.folder / "page.html").read_text()
        self.assertIn('"stand_in":"STAND-IN: no GPU took part', page)

    def test_history_add(self):
        self.assertEqual(self.check("history", "add", self.run_file).returncode, 0)

    def test_history_is_not_even_made(self):
        self.call("history", "add", RUN, self.run_file)
        self.assertFalse((self.folder / "history.sqlite").exists())

    def test_merge(self):
        self.check("merge", RUN, self.run_file)

    def test_compare_on_either_side(self):
        self.check("compare", RUN, self.run_file, "--allow-mismatch")
        self.check("compare", self.run_file, RUN, "--allow-mismatch")

    def test_compare_of_prices(self):
        repeated = self.measured(PRICES, "repeated.json")
        content = json.loads(repeated.read_text())
        content["benchmarks"] *= 9
        repeated.write_text(json.dumps(content))
        self.check("compare", "--gbench", repeated, repeated, file="repeated.json")

    def test_compare_of_the_benchmarks_in_a_run(self):
        self.check("compare", "--gbench", RUN, self.run_file)

    def test_export(self):
        for format in ["bmf", "gha", "csv", "junit", "markdown"]:
            said = self.check("export", format, self.run_file)
            self.assertEqual(said.returncode, 0)
            if format in ("junit", "markdown"):
                self.assertIn("STAND-IN: no GPU took part", said.stdout)

    def test_report_of_a_run_prices_and_a_self_test(self):
        for file in [self.run_file, self.measured(PRICES, "prices.json"), self.measured(SELFTEST, "selftest.json")]:
            self.assertEqual(self.check("report", file, "-o", "page.html", file=file.name).returncode, 0)
            self.check_page()

    def test_report_against_a_run(self):
        self.check("report", RUN, "--against", self.run_file, "-o", "page.html")
        self.check_page()
        said = self.check("report", self.run_file, "--markdown")
        self.assertRegex(said.stdout, r"\A### tuneproof [^\n]*STAND-IN: no GPU took part")

    def test_report_of_a_trace(self):
        trace = {"deviceProperties": [{"id": 0, "name": GPU["name"]}], "traceEvents": [
            {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 5}]}
        (self.folder / "trace.json").write_text(json.dumps(trace))
        self.check("report", RUN, "--trace", "trace.json", "-o", "page.html", file="trace.json")
        self.check_page()

    def test_explain_and_learn(self):
        prices = self.measured(PRICES, "prices.json")
        self.check("explain", STEP, "--results", self.run_file, "--prices", PRICES)
        self.check("explain", STEP, "--prices", prices, file="prices.json")
        self.check("learn", "--list", "--progress", "progress.json", "--results", self.run_file)
        self.check("learn", "--list", "--progress", "progress.json", "--prices", prices, file="prices.json")

    def test_a_file_under_another_name_or_packed(self):
        plain = self.run_file.read_bytes()
        for name, content in [("renamed.txt", plain), ("packed", gzip.compress(plain)), ("run.json.gz", gzip.compress(plain))]:
            (self.folder / name).write_bytes(content)
            for command in [("history", "add", name), ("report", name, "-o", "page.html")]:
                with self.subTest(command):
                    self.assertEqual(self.check(*command, file=name).returncode, 0)

    def test_a_file_whose_gpu_was_edited_is_known_by_its_driver(self):
        for gpu in [None, {**GPU, "name": "NVIDIA H200"}]:
            content = json.loads(self.run_file.read_text())
            hard = content["tuneproof"]["fingerprint"]["hard"]
            hard["machine"]["gpu"], hard["software"]["driver"] = gpu, "0.0 (stand-in)"
            self.run_file.write_text(json.dumps(content))
            with self.subTest(gpu):
                self.check("merge", RUN, self.run_file)

    def test_resume_on_a_machine_without_it(self):
        said = self.call("run", "--resume", self.run_file)
        self.assertEqual((said.returncode, said.stdout), (1, ""), said)
        self.assertIn("cannot resume", said.stderr.splitlines()[-1])

    def test_diagnose_says_what_the_trace_is_of(self):
        trace = {"deviceProperties": [{"id": 0, "name": GPU["name"]}], "traceEvents": [
            {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 5}]}
        (self.folder / "trace.json").write_text(json.dumps(trace))
        said = self.call("diagnose", "trace.json")
        self.assertEqual(said.returncode, 0, said)
        self.assertTrue(said.stdout.startswith("STAND-IN: no GPU took part"), said.stdout)

    def test_a_file_of_a_real_machine_needs_no_option_and_gets_no_warning(self):
        said = self.call("history", "add", RUN)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.call("report", RUN, "-o", "page.html")
        self.assertIn('"stand_in":null', (self.folder / "page.html").read_text())


if __name__ == "__main__":
    unittest.main()
