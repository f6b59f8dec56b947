"""`tuneproof compare --base OLD --head NEW`: two made-up programs, and the real one against itself.

Usage: compare_programs.test.py TUNEPROOF PROJECT [unittest arguments]. Exits with 77 where jsonschema is missing.
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
import xml.etree.ElementTree

try:
    import jsonschema
except ImportError:
    print("skipped: the Python package jsonschema is not installed")
    sys.exit(77)

PROGRAM = pathlib.Path(sys.argv[1])
PROJECT = pathlib.Path(sys.argv[2])
SCHEMA = json.loads((PROJECT / "results/schema/comparison.schema.json").read_text())
ROW = "sync/dynamic_shape_ops/op:select/percent:1/device:cpu"
OTHER = "sync/dynamic_shape_ops/op:select/percent:50/device:cpu"
PATIENCE = 1500  # on a machine that builds eight programs at once, too

# A worker in a few lines; config.json beside it says how it differs from the other program's.
WORKER = """#!{python}
import ctypes, json, os, pathlib, random, signal, sys, time
config = json.loads((pathlib.Path(sys.argv[0]).parent / "config.json").read_text())
if sys.argv[1] == "--probe":
    build = dict(version="0.1.0", commit="abc", build_type="Release", compiler="g++", flags="")
    build.update(config.get("build", {{}}))
    probe = dict(protocol=2, build=build, cuda=dict(status="no device", message="no CUDA device"), gpu=None,
                 cuda_runtime="13.0", cuda_driver=None, libtorch="2.11.0")
    probe.update(config.get("probe", {{}}))
    print(json.dumps({{key: value for key, value in probe.items() if value != "gone"}}))
    sys.exit(0)
if sys.argv[1].endswith("catalogue"):
    print((pathlib.Path(sys.argv[0]).parent / (sys.argv[1][2:] + ".json")).read_text())
    sys.exit(0)
ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # no worker outlives its parent
def put(event):
    os.write(3, (json.dumps(event) + "\\n").encode())
task = json.load(sys.stdin)
pair = json.load(open("{golden}"))["tuneproof"]["pairs"][0]
measured = task["round"] is not None
pair["iterations"] = 3
if task.get("count") is not None:
    pair["figures"] = [dict(name="instructions", unit="instructions", naive=5000000,
                            optimized=config.get("instructions", 2000000))]
for column in pair["samples"]:
    pair["samples"][column] = pair["samples"][column][:8] if measured else []
for column in ["round_log_ratios", "round_setup_ns", "round_switches"]:
    pair[column] = pair[column][:1] if measured else []
noise = random.Random(f"{{task['seed']}} {{task['round']}} {{os.getpid()}}")  # each process its own
for row in task["rows"]:
    put({{"event": "begin", "row": row["name"]}})
    if config.get("dies", "nothing") in row["name"] and measured: os.kill(os.getpid(), signal.SIGSEGV)
    if config.get("hangs") and measured: signal.pause()
    slow = config.get("slow", {{}}).get(row["name"], 1)
    pair["samples"]["t_ns"] = [1e6 * slow * noise.uniform(0.99, 1.01) for _ in pair["samples"]["slot"]]
    if task.get("count") is None:
        pair["figures"] = [dict(name="copies", unit="calls", naive=4, optimized=config.get("copies", 4))]
    if config.get("skips"):
        pair["result"]["verdict"], pair["reason"] = "skipped", config["skips"]
    put({{"event": "row", "row": dict(pair, id=row["name"])}})
busy = config.get("busy") and (task["round"] or 0) % 2  # other work takes every second round
put({{"event": "end", "disturbance": {{"involuntary_switches": 1, "canary_ns": [6.5e6 if busy else 5e6], "gpu_canary_ns": [],
                                      "copy_canary_ns": [], "slowdowns": None}}}})
"""


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof."))
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = self.folder / "c.json"

    def command(self, *arguments, base="old", pause="0.1s"):
        return [PROGRAM, "compare", "--base", self.folder / base, "--head", self.folder / "new",
                "--confirm-after", pause, *arguments]

    def compare(self, *arguments, gate="--no-selftest", **environment):
        kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "GITHUB_STEP_SUMMARY")}
        kept["XDG_CACHE_HOME"] = str(self.folder / "cache")
        return subprocess.run([*self.command(*arguments), *([gate] if gate else [])], capture_output=True, text=True,
                              timeout=PATIENCE, cwd=self.folder, env=kept | environment)

    def document(self):
        document = json.loads(self.file.read_text())
        jsonschema.Draft202012Validator(SCHEMA).validate(document)
        return document


class MadeUp(Folder):
    @classmethod
    def setUpClass(cls):
        cls.catalogue, cls.pairs = (
            subprocess.run([PROGRAM.parent / "tuneproof-worker", mode], capture_output=True, check=True, text=True).stdout
            for mode in ["--catalogue", "--selftest-catalogue"])

    def setUp(self):
        super().setUp()
        self.program("old")
        self.program("new")

    def program(self, name, without=None, **config):
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        (folder / "tuneproof").touch()
        worker = folder / "tuneproof-worker"
        worker.write_text(WORKER.format(python=sys.executable, golden=PROJECT / "tests/golden/results.json"))
        worker.chmod(0o755)
        (folder / "config.json").write_text(json.dumps(config))
        (folder / "selftest-catalogue.json").write_text(self.pairs.splitlines()[-1])
        catalogue = json.loads(self.catalogue)
        for step in catalogue["steps"]:
            step["rows"] = [row for row in step["rows"] if row["name"] != without]
        (folder / "catalogue.json").write_text(json.dumps(catalogue))

    def test_equal_programs_exit_with_0(self):
        done = self.compare(ROW, "--json", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 row in 14 rounds: 1 same", done.stdout)
        self.assertIn("this gate has no self-test", done.stdout)
        self.assertEqual(len(self.document()["rows"][0]["round_log_ratios"]), 14)

    def test_a_slower_head_exits_with_2_naming_the_row_and_both_intervals(self):
        self.program("new", slow={ROW: 1.12})
        junit = self.folder / "r.xml"
        done = self.compare(ROW, OTHER, "--json", self.file, "--junit", junit, "--annotations")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stdout, ROW + r": slower in two sessions, \+1[12]\.\d % \[.*\] and \+1[12]\.\d % \[.*\]")
        self.assertNotIn(OTHER + ": slower", done.stdout)
        self.assertTrue(done.stdout.endswith("\nFAILED: 1 row slower\n"), done.stdout)
        self.assertIn("::error title=" + ROW.replace(":", "%3A"), done.stderr)
        self.assertIn("measuring them again", done.stderr)
        self.assertEqual([row["confirmed"] for row in self.document()["rows"]], [True, False])
        suite = xml.etree.ElementTree.parse(junit).getroot().find("testsuite")
        self.assertEqual((suite.get("failures"), suite.get("tests")), ("1", "2"))

    def test_a_doubled_time_fails_on_an_unstable_machine(self):
        self.program("old", busy=True)
        self.program("new", busy=True, slow={ROW: 2})
        junit = self.folder / "r.xml"
        done = self.compare(ROW, "--junit", junit)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("unstable machine", done.stdout)
        suite = xml.etree.ElementTree.parse(junit).getroot().find("testsuite")
        self.assertEqual((suite.get("failures"), suite.find(".//failure").get("type")), ("1", "slower"))
        self.assertGreater(float(suite.find("testcase").get("time")), 0)

    def test_instructions_gate_without_rounds_and_without_a_self_test(self):
        valgrind = self.folder / "bin" / "valgrind"  # asked where the kernel has no counter
        valgrind.parent.mkdir()
        valgrind.write_text('#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift; done\nexec "$@"\n')
        valgrind.chmod(0o755)
        path = f"{valgrind.parent}:{os.environ['PATH']}"
        done = self.compare(ROW, "--count", "instructions", "--json", self.file, gate=None, PATH=path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("equal instructions", done.stdout)
        self.assertEqual(self.document()["rounds"], [])
        self.program("new", instructions=2160000)
        done = self.compare(ROW, "--count", "instructions", gate=None, PATH=path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("instructions (second side): 2,000,000 -> 2,160,000 (+8.0 %)", done.stdout)
        self.assertTrue(done.stdout.endswith("\nFAILED: 1 row doing more\n"), done.stdout)

    def test_a_gate_that_could_compare_nothing_fails(self):
        for program in ["old", "new"]:
            self.program(program, skips="no CUDA device")
        done = self.compare(ROW)
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertTrue(done.stdout.endswith("\nNOT DECIDED: no row was compared\n"), done.stdout)

    def test_a_faster_head_is_no_failure(self):
        self.program("new", slow={ROW: 0.8})
        done = self.compare(ROW)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 faster", done.stdout)

    def test_a_count_that_rose_exits_with_2(self):
        self.program("new", copies=5)
        done = self.compare(ROW)
        self.assertEqual(done.returncode, 2)
        self.assertIn(ROW + ": copies (second side): 4 -> 5 (+25.0 %)", done.stdout)

    def test_a_head_that_crashes_fails_its_row_and_the_others_go_on(self):
        self.program("new", dies="percent:50")
        done = self.compare(ROW, OTHER)
        self.assertEqual(done.returncode, 1)
        self.assertIn("HEAD: the worker was killed by signal 11", done.stdout)
        self.assertIn("1 failed, 1 same", done.stdout)

    def test_a_base_that_hangs_fails_its_row(self):
        self.program("old", hangs=True)
        done = self.compare(ROW, "--timeout", "1s")
        self.assertEqual(done.returncode, 1)
        self.assertIn("BASE: no result within 1s", done.stdout)

    def test_rows_that_only_one_has_are_listed_and_a_vanished_one_fails(self):
        self.program("new", without=OTHER)
        done = self.compare(ROW, OTHER)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("Missing in HEAD\n  " + OTHER, done.stdout)
        self.assertEqual(self.compare(ROW, OTHER, "--allow-missing").returncode, 0)
        self.program("new")
        self.program("old", without=OTHER)
        self.assertIn("New in HEAD\n  " + OTHER, self.compare(ROW, OTHER).stdout)

    def refused(self, done, *parts):
        self.assertEqual((done.returncode, done.stdout), (3, ""), done)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_without_a_self_test_it_refuses(self):
        self.refused(self.compare(ROW, gate=None), "no self-test from the last 30 days", "--no-selftest")

    def test_another_build_type_is_refused(self):
        self.program("new", build={"build_type": "Debug"})
        reason = "software.build_type differs: Release in BASE, Debug in HEAD"
        junit = self.folder / "r.xml"
        self.refused(self.compare(ROW, "--junit", junit), reason)
        self.assertIn('errors="1"', junit.read_text())
        self.assertIn("REFUSED: " + reason, junit.read_text())

    def test_a_program_that_is_not_there_leaves_a_red_report(self):
        junit = self.folder / "r.xml"
        junit.write_text("<testsuites/>")  # of an earlier job
        (self.folder / "new/tuneproof").unlink()
        done = self.compare(ROW, "--junit", junit)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("new/tuneproof", done.stderr)
        self.assertIn('errors="1"', junit.read_text())
        self.assertIn("new/tuneproof", junit.read_text())

    def test_a_program_of_another_protocol_is_refused(self):
        self.program("old", probe={"protocol": "gone"})
        self.refused(self.compare(ROW), "old/tuneproof uses an older protocol with its worker")

    def test_a_program_of_another_protocol_is_refused_before_its_catalog_is_read(self):
        self.program("old", probe={"protocol": 1})
        (self.folder / "old/catalogue.json").write_text('{"steps": [{"id": "sync/item"}]}')
        self.refused(self.compare(ROW), "old/tuneproof uses protocol 1 with its worker, but this program uses protocol 2")

    def test_another_LibTorch_is_refused_unless_it_is_what_is_compared(self):
        self.program("new", probe={"libtorch": "2.12.0"})
        self.refused(self.compare(ROW), "software.libtorch differs: 2.11.0 in BASE, 2.12.0 in HEAD", "--across libtorch")
        done = self.compare(ROW, "--across", "libtorch")
        self.assertEqual(done.returncode, 0)
        self.assertIn("note: software.libtorch differs: 2.11.0 -> 2.12.0", done.stdout)

    def test_a_dry_run_measures_nothing(self):
        self.program("new", dies="sync")
        for value in ("nan", "-1", "inf"):
            refused = subprocess.run(self.command(ROW, "--dry-run", pause=value), capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual((refused.returncode, refused.stdout), (1, ""), refused)
            self.assertIn(f"--confirm-after '{value}': expected a duration", refused.stderr)
        done = self.compare(ROW, OTHER, "--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, rf"{ROW}  \d+ s\n{OTHER}  \d+ s\n2 rows, about (\d+ min )?\d+ s\n")

    def test_the_pairs_of_the_self_test_can_be_named(self):
        done = self.compare("selftest/copy/bytes:*KiB")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 rows in 14 rounds: 2 same", done.stdout)

    def test_a_device_that_is_not_there_exits_with_77(self):
        self.assertEqual(self.compare(ROW, "--device", "cuda").returncode, 77)

    def test_wrong_use_is_one_sentence(self):
        for arguments, sentence in [(["compare", "--looks", "3", "a.json", "b.json"], "--base"),
                                    (["compare", "--base", "x"], "--base requires --head"),
                                    (["compare", "--plant-head", "3", "a", "b"], "--plant-head requires --base"),
                                    (self.command("no/such*")[1:], "no/such*"),
                                    (self.command(ROW, "--allow-mismatch")[1:], "are for files"),
                                    (self.command(ROW, base="gone")[1:], "program not found")]:
            done = subprocess.run([PROGRAM, *arguments, *(["--no-selftest"] if "--confirm-after" in arguments else [])],
                                  capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual((done.returncode, done.stdout), (1, ""), done)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(sentence, done.stderr)

    def test_Ctrl_C_exits_with_130_and_prints_what_was_finished(self):
        self.program("new", slow={ROW: 1.12})
        running = subprocess.Popen(self.command(ROW, "--no-selftest", "--json", self.file, pause="1h"),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for line in running.stderr:
            if "measuring them again" in line:
                running.send_signal(signal.SIGINT)
                break
        said, _ = running.communicate(timeout=PATIENCE)
        self.assertEqual(running.returncode, 130)
        self.assertIn("stopped before the row was measured again", said)
        self.assertFalse(self.document()["session"]["complete"])


class Real(Folder):
    """The program against itself, in a row of microseconds. The planted slowdown is far above the noise of any busy machine."""

    ROW = "transfer/batch_small/bytes:64/way:pack/device:cpu"

    def setUp(self):
        super().setUp()
        for name in ["old", "new"]:
            (self.folder / name).symlink_to(PROGRAM.parent)

    def test_the_same_program_twice_fails_nothing(self):
        done = self.compare(self.ROW, "--json", self.file)
        self.assertIn(done.returncode, (0, 4), done.stdout + done.stderr)  # 4: a busy machine left it undecided
        self.assertEqual(self.document()["rows"][0]["rounds"], 14)

    def test_a_planted_slowdown_exits_with_2(self):
        done = self.compare(self.ROW, "--plant-head", "400%")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(self.ROW + ": slower in two sessions", done.stdout)
        self.assertIn("--plant-head slowed the second side of every row of HEAD by 400 % on purpose", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
