"""The whole `tuneproof run`: with the real worker, and with made-up workers that misbehave.

Usage: run_command.test.py TUNEPROOF PROJECT [unittest arguments]
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

try:
    import jsonschema
except ImportError:
    print("skipped: the Python package jsonschema is not installed")
    sys.exit(77)

PROGRAM = pathlib.Path(sys.argv[1])
PROJECT = pathlib.Path(sys.argv[2])
SCHEMA = json.loads((PROJECT / "results/schema/results-1.1.schema.json").read_text())
ROWS = "sync/item_every_step/n:1*"  # rows on the CPU for n 128 and 1024
ONE_ROW = "sync/item_every_step/n:128/device:cpu"
PATIENCE = 300  # on a machine that builds eight programs at once, too

# A worker in a few lines. `act` decides what becomes of each row: the n-th one gets the n-th word of FAKE.
FAKE_WORKER = """#!{python}
import json, os, signal, sys
if sys.argv[1] == "--probe":
    print(json.dumps({{"cuda": {{"status": "no device", "message": "no CUDA device"}}, "gpu": None,
                      "cuda_runtime": "13.0", "cuda_driver": None, "libtorch": "2.11.0"}}))
    sys.exit(0)
def put(event):
    os.write(3, (json.dumps(event) + "\\n").encode())
job = json.load(sys.stdin)
pair = json.load(open("{golden}"))["tuneproof"]["pairs"][0]
for name in job["rows"]:
    acts = os.environ["FAKE"].split()
    act = acts[min(int(os.path.exists("{count}") and open("{count}").read() or 0), len(acts) - 1)]
    open("{count}", "a").close()
    n = int(open("{count}").read() or 0)
    open("{count}", "w").write(str(n + 1))
    put({{"event": "begin", "row": name}})
    if act == "good": put({{"event": "row", "row": dict(pair, id=name)}})
    if act == "segfault": os.kill(os.getpid(), signal.SIGSEGV)
    if act == "hang": signal.pause()
    if act == "bad_input":
        put({{"event": "bad_input", "message": "a.csv:3: no number"}})
        sys.exit(1)
put({{"event": "end"}})
"""


def validate(document):
    jsonschema.Draft202012Validator(SCHEMA).validate(document)


def children_of(pid):
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(word) for word in found.stdout.split()]


def is_running(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it did not happen in time")
        time.sleep(0.02)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof."))
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = self.folder / "r.json"

    def run_it(self, *arguments, program=PROGRAM, **more):
        more.setdefault("stdout", subprocess.PIPE)
        return subprocess.run([program, "run", *arguments], stderr=subprocess.PIPE, text=True, timeout=PATIENCE,
                              cwd=self.folder, **more)

    def document(self):
        return json.loads(self.file.read_text())

    def assert_one_sentence(self, done, *parts):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)


class RealWorker(Folder):
    def test_a_measured_row_satisfies_the_schema_and_the_table_shows_it(self):
        done = self.run_it(ONE_ROW, "--json", self.file, "--seed", "0x1f", "--threads", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("n:128", done.stdout)
        document = self.document()
        validate(document)
        self.assertEqual(len(document["benchmarks"]), 28)
        self.assertEqual(document["tuneproof"]["session"]["seed"], "0x1f")
        self.assertEqual(len(document["tuneproof"]["pairs"][0]["samples"]["t_ns"]), 14 * 8)
        self.assertEqual(sorted(os.listdir(self.folder)), ["r.json"])

    def test_a_dash_prints_the_document_alone_on_standard_output(self):
        done = self.run_it(ONE_ROW, "--json", "-", "--budget", "1s")
        self.assertEqual(done.returncode, 0, done.stderr)
        validate(json.loads(done.stdout))
        self.assertIn("n:128", done.stderr)

    def test_a_spent_budget_leaves_an_undecided_row_and_skipped_ones(self):
        done = self.run_it(ROWS, "--device", "cpu", "--budget", "0.1s", "--json", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        block = self.document()["tuneproof"]
        self.assertEqual([pair["result"]["verdict"] for pair in block["pairs"]], ["inconclusive"])
        self.assertLess(block["pairs"][0]["result"]["rounds"], 14)
        self.assertIn("the budget of 0.1s was spent", [error["message"] for error in block["errors"]])

    def test_no_worker_outlives_a_killed_parent(self):
        parent = subprocess.Popen([PROGRAM, "run", ROWS, "--device", "cpu"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE)
        self.assertIn(b"[1/", parent.stderr.readline())
        workers = children_of(parent.pid)
        self.assertEqual(len(workers), 1)
        parent.kill()
        parent.wait()
        parent.stderr.close()
        wait_until(lambda: not is_running(workers[0]))


class MadeUpWorker(Folder):
    def setUp(self):
        super().setUp()
        self.bin = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof."))
        self.addCleanup(shutil.rmtree, self.bin)
        self.program = self.bin / "tuneproof"
        shutil.copy(PROGRAM, self.program)
        self.worker(FAKE_WORKER.format(python=sys.executable, golden=PROJECT / "tests/golden/results.json",
                                       count=self.bin / "count"))

    def worker(self, text):
        path = self.bin / "tuneproof-worker"
        path.write_text(text)
        path.chmod(0o755)

    def fake(self, acts, *arguments, **more):
        (self.bin / "count").unlink(missing_ok=True)
        return self.run_it(ROWS, "--device", "cpu", *arguments, program=self.program,
                           env={**os.environ, "FAKE": acts}, **more)

    def start(self, acts, *arguments):
        self.process = subprocess.Popen([self.program, "run", ROWS, "--device", "cpu", *arguments],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, "FAKE": acts})
        return self.process

    def test_a_crash_is_a_failed_row_and_the_exit_code_says_so(self):
        done = self.fake("segfault good", "--json", self.file)
        self.assertEqual(done.returncode, 1, done.stderr)
        document = self.document()
        validate(document)
        self.assertEqual(len(document["tuneproof"]["pairs"]), 1)
        self.assertIn("the worker was killed by signal 11 (Segmentation fault)",
                      [error["message"] for error in document["tuneproof"]["errors"]])

    def test_the_timeout_is_quoted_as_it_was_given(self):
        done = self.fake("hang good", "--timeout", "0.5s")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("failed: no result within 0.5s", done.stdout)

    def test_ctrl_c_keeps_what_was_finished_and_ends_the_worker(self):
        for stop, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            self.file.unlink(missing_ok=True)
            (self.bin / "count").unlink(missing_ok=True)
            process = self.start("good hang", "--json", self.file)
            wait_until(lambda: self.file.exists() and "[2/" in process.stderr.readline())
            workers = children_of(process.pid)
            process.send_signal(stop)
            out, err = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, code, err)
            self.assertIn("sync/item_every_step", out)
            validate(self.document())
            self.assertEqual(len(self.document()["tuneproof"]["pairs"]), 1)
            self.assertEqual([pid for pid in workers if is_running(pid)], [])

    def test_the_file_holds_each_row_as_soon_as_it_is_finished(self):
        process = self.start("good hang", "--json", self.file)
        wait_until(lambda: self.file.exists())
        process.kill()
        process.communicate()
        validate(self.document())

    def test_wrong_input_found_by_a_worker_ends_the_run(self):
        done = self.fake("bad_input", "--json", self.file)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.splitlines()[-1], "tuneproof: a.csv:3: no number")
        self.assertFalse(self.file.exists())

    def test_a_run_that_does_not_start_leaves_the_old_file_alone(self):
        self.file.write_text("old")
        refused = [("no/such/step",), (ROWS, "--budget", "3x"), (ROWS, "--device", "tpu"), (ROWS, "--nonsense", "1"),
                   (ROWS, "--looks", "2"), (ROWS, "--threads", "0"), (ROWS, "--point", "n=7"), (ROWS, "--seed", "-1")]
        for arguments in refused:
            done = self.run_it(*arguments, "--json", self.file, program=self.program)
            self.assert_one_sentence(done, "tuneproof: ")
            self.assertEqual(self.file.read_text(), "old", arguments)

    def test_a_worker_that_cannot_start_is_told_before_anything_is_measured(self):
        self.file.write_text("old")
        self.worker("#!/bin/sh\necho 'tuneproof-worker: error while loading shared libraries: libtorch.so: "
                    "cannot open shared object file: No such file or directory' >&2\nexit 127\n")
        self.assert_one_sentence(self.fake("", "--json", self.file), "LibTorch", "libtorch.so: cannot open")
        self.worker("#!/bin/sh\nkill -SEGV $$\n")
        self.assert_one_sentence(self.fake("", "--json", self.file), "was killed by signal 11")
        (self.bin / "tuneproof-worker").unlink()
        self.assert_one_sentence(self.fake("", "--json", self.file), "tuneproof-worker: is missing")
        self.assertEqual(self.file.read_text(), "old")

    def test_a_file_that_cannot_be_written_is_told_before_anything_is_measured(self):
        for name in ("none/r.json", ".", "/dev/full"):
            done = self.fake("good", "--json", name)
            self.assert_one_sentence(done, "tuneproof: ", name)
            self.assertEqual(done.stdout, "")

    def test_a_cuda_device_that_is_not_there_gives_77_only_if_it_was_asked_for(self):
        for device in ("cuda", "cuda:0"):
            done = self.run_it(ROWS, "--device", device, "--json", self.file, program=self.program)
            self.assertEqual(done.returncode, 77)
            self.assertEqual(done.stderr, f"tuneproof: --device {device}: no CUDA device\n")
        done = self.run_it(ROWS, program=self.program, env={**os.environ, "FAKE": "good"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("skipped: no CUDA device", done.stdout)
        self.assertFalse(self.file.exists())

    def test_a_reader_that_leaves_early_ends_the_run_quietly_but_not_the_file(self):
        done = self.fake("good", stdout=self.closed_pipe())
        self.assertEqual(done.returncode, 141)
        self.assertNotIn("tuneproof:", done.stderr)
        done = self.fake("good", "--json", self.file, stdout=self.closed_pipe())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.document()["tuneproof"]["pairs"]), 2)

    def closed_pipe(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        self.addCleanup(os.close, write_end)
        return write_end

    def test_an_output_that_is_full_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = self.fake("good", stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertIn("tuneproof: the output could not be written", done.stderr)

    def test_a_dry_run_names_the_rows_and_measures_nothing(self):
        done = self.fake("segfault", "--dry-run", "--json", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("sync/item_every_step/n:1024/device:cpu  ", done.stdout)
        self.assertIn("minutes", done.stdout)
        self.assertFalse(self.file.exists())


class Schema(unittest.TestCase):
    def test_the_schema_is_one(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_the_kept_example_satisfies_it(self):
        validate(json.loads((PROJECT / "tests/golden/results.json").read_text()))

    def test_a_row_without_its_time_does_not(self):
        document = json.loads((PROJECT / "tests/golden/results.json").read_text())
        document["benchmarks"][0]["real_time"] = None
        with self.assertRaises(jsonschema.ValidationError):
            validate(document)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
