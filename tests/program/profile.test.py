"""`tuneproof profile` and `run --profile` with the real worker: files, schedule, figures, what is left behind.

Usage: profile.test.py TUNEPROOF PROJECT [unittest arguments]
"""

import gzip
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: the Python package jsonschema is not installed")
    sys.exit(77)

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SCHEMA = json.loads((PROJECT / "results/schema/results.schema.json").read_text())
ROW = "sync/item_every_step/n:128/device:cpu"
SHORT = "wait=1,warmup=2,active=3"
PATIENCE = 300


def events_of(trace):
    with gzip.open(trace, "rt") as file:
        return json.load(file)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof."))
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, *arguments, **environment):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE,
                              cwd=self.folder, env={**os.environ, **{k: str(v) for k, v in environment.items()}})

    def profile(self, *arguments, **environment):
        return self.call("profile", *arguments, **environment)

    def traces(self, folder="profiles"):
        there = self.folder / folder
        return sorted(there.iterdir()) if there.exists() else []


class Profile(Folder):
    def test_each_form_is_a_trace_with_the_steps_of_the_schedule(self):
        said = self.profile(ROW, "--schedule", SHORT)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual([re.sub(r"\.\d{13}\.", ".", trace.name) for trace in self.traces()],
                         [f"sync-item_every_step-n_128-device_cpu-{form}.pt.trace.json.gz"
                          for form in ("naive", "optimized")])
        for trace in self.traces():
            names = [event["name"] for event in events_of(trace)["traceEvents"]]
            self.assertEqual([name for name in names if name.startswith("ProfilerStep#")],
                             ["ProfilerStep#3", "ProfilerStep#4", "ProfilerStep#5"])
        self.assertIn("OPERATORS", said.stdout)
        self.assertIn("WHAT VANISHED AND WHAT GREW", said.stdout)
        self.assertRegex(said.stdout, r"The profiler was on\. first side: [\d.]+ \w+ a run with the profiler on; without it")
        self.assertRegex(said.stdout, r"Self CUDA +no device: not measured")

    def test_a_step_that_only_the_full_suite_has_is_profiled_by_its_name(self):
        said = self.profile("parallel/flat", "--device", "cpu", "--form", "naive", "--schedule", "wait=0,warmup=0,active=1", "--",
                            "--ranks", "1")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(len(self.traces()), 1)

    def test_each_repetition_is_a_trace_of_its_own_and_none_is_replaced(self):
        for _ in range(2):
            said = self.profile(ROW, "--form", "naive", "--schedule", SHORT + ",repeat=2", "--out", "t")
            self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(len(self.traces("t")), 4)

    def test_the_phases_of_a_training_step_are_in_the_trace(self):
        said = self.profile("stgym/end_to_end", "--form", "optimized", "--schedule", "wait=0,warmup=0,active=1",
                            "--", "--scale", "0.001")
        self.assertEqual(said.returncode, 0, said.stderr)
        trace = events_of(self.traces()[0])
        ranges = {event["name"] for event in trace["traceEvents"] if event.get("cat") == "user_annotation"}
        self.assertLessEqual({"data_wait", "h2d", "fwd", "bwd", "opt", "eval"}, ranges)
        for phase in ("fwd", "bwd", "opt", "data_wait"):
            self.assertRegex(said.stdout, rf"(?m)^  {phase} ")

    def test_the_ranges_reach_nvtx_under_the_same_names(self):
        log = self.folder / "nvtx.txt"
        said = self.profile("stgym/single_tail", "--form", "naive", "--schedule", "wait=0,warmup=0,active=1", "--",
                            "--scale", "0.001", NVTX_INJECTION64_PATH=PROGRAM.parent / "libfake_nvtx.so",
                            TUNEPROOF_NVTX_LOG=log)
        self.assertEqual(said.returncode, 0, said.stderr)
        pushed = set(log.read_text().splitlines())
        ranges = {f"tuneproof: {event['name']}" for event in events_of(self.traces()[0])["traceEvents"]
                  if event.get("cat") == "user_annotation"}
        self.assertGreater(len(ranges), 5)
        self.assertLessEqual(ranges, pushed)

    def test_ctrl_c_leaves_nothing_behind(self):
        process = subprocess.Popen([PROGRAM, "profile", ROW, "--schedule", "wait=0,active=100000,repeat=100000"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, out), (130, ""))
        self.assertEqual(self.traces(), [])

    def test_wrong_input_is_one_sentence(self):
        for arguments in [["no/such/step"], [ROW, "--schedule", "active=0"], [ROW, "--form", "best"],
                          [ROW, "--", "--scael", "1"], [ROW, "--", "--scale"], [ROW, "--out", "/dev/null/x"], []]:
            with self.subTest(arguments):
                said = self.profile(*arguments)
                self.assertEqual((said.returncode, said.stdout), (1, ""), said.stderr)
                self.assertRegex(said.stderr.splitlines()[-1], "^tuneproof: ")
        self.assertEqual(self.traces(), [])

    def test_a_row_that_needs_a_device_gives_77_without_one(self):
        for arguments in [["transfer/pinned_h2d", "--device", "cpu"], [ROW, "--device", "cuda:100"]]:
            said = self.profile(*arguments)
            self.assertEqual((said.returncode, said.stdout), (77, ""), said.stderr)


class Format(Folder):
    """The rules of Chrome's trace format, which Perfetto reads; its page cannot be opened here."""

    def test_a_trace_keeps_the_rules(self):
        said = self.profile("stgym/single_tail", "--form", "optimized", "--schedule", "wait=0,warmup=0,active=1")
        self.assertEqual(said.returncode, 0, said.stderr)
        trace = events_of(self.traces()[0])
        self.assertIsInstance(trace["traceEvents"], list)
        begun, ended = {}, {}
        for event in trace["traceEvents"]:
            self.assertIn(event["ph"], "XMisf", event)
            self.assertIsInstance(event["name"], str)
            self.assertIn("pid", event)
            if event["ph"] != "M":
                self.assertIsInstance(event["ts"], (int, float), event)
                self.assertGreater(event["ts"], 0)
            if event["ph"] == "X":
                self.assertIsInstance(event["dur"], (int, float), event)
                self.assertGreaterEqual(event["dur"], 0)
                self.assertIn("tid", event)
            if event["ph"] == "M":
                self.assertIn(event["name"], {"process_name", "process_labels", "process_sort_index", "thread_name",
                                              "thread_sort_index"})
                self.assertIsInstance(event["args"], dict)
            if event["ph"] in "sf":
                flows = begun if event["ph"] == "s" else ended
                key = (event["cat"], event["id"])
                self.assertNotIn(key, flows, "a flow begins once and ends once")
                flows[key] = event
                self.assertTrue(event["ph"] == "s" or event["bp"] == "e", event)
        self.assertEqual(set(begun), set(ended))
        for key, event in begun.items():
            self.assertLessEqual(event["ts"], ended[key]["ts"], key)
        names = {(event["pid"], event["tid"], event["args"]["name"]) for event in trace["traceEvents"]
                 if event["ph"] == "M" and event["name"] == "thread_name"}
        named = {(pid, tid) for pid, tid, _ in names}
        self.assertEqual(len(names), len(named), "a thread has one name")
        working = {(event["pid"], event["tid"]) for event in trace["traceEvents"] if event.get("cat") == "cpu_op"}
        self.assertLessEqual(working, named)


class RunProfile(Folder):
    def test_rows_are_profiled_beside_their_timings_and_the_file_has_both(self):
        said = self.call("run", "sync/item_every_step", "--point", "n=128..1024", "--device", "cpu", "--budget", "5m",
                         "--profile", "--profile-schedule", SHORT, "--profile-out", "t", "--json", "r.json")
        self.assertEqual(said.returncode, 0, said.stderr)
        document = json.loads((self.folder / "r.json").read_text())
        jsonschema.Draft202012Validator(SCHEMA).validate(document)
        pairs = document["tuneproof"]["pairs"]
        self.assertGreaterEqual(len(pairs), 1)
        for pair in pairs:
            self.assertGreater(pair["result"]["naive_ns"], 0)
            self.assertEqual(pair["profile"]["schedule"], SHORT + ",repeat=1")
            figures = {figure["name"]: figure for figure in pair["profile"]["per_run"]}
            self.assertGreater(figures["Self CPU"]["naive"], 0)
            self.assertEqual((figures["Self CUDA"]["naive"], figures["Memcpy HtoD calls"]["optimized"]), (None, None))
            self.assertEqual([form["runs"] for form in pair["profile"]["forms"]], [3, 3])
        self.assertEqual(len(self.traces("t")), 2 * len(pairs))
        timed, profiled = said.stdout.split("PROFILED, PER RUN")
        self.assertIn("VERDICT", timed)
        self.assertIn("no device: not measured", profiled)

    def test_a_rung_shows_the_published_columns(self):
        said = self.call("run", "stgym/device_indices", "--suite", "quick", "--device", "cpu", "--budget", "1s",
                         "--profile", "--profile-schedule", "wait=0,warmup=1,active=1", "--json", "r.json")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("50.3 -> 7 s (-86.1 %); A30, 2 epochs", said.stdout)
        self.assertIn("1231 before; A30, 2 epochs", said.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
