"""The whole `tuneproof run`: with the real worker, and with made-up workers that misbehave.

Usage: run_command.test.py TUNEPROOF PROJECT [unittest arguments]
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import unittest

from made_up_worker import (ONE_ROW, PATIENCE, PROGRAM, PROJECT, ROWS, Folder, MadeUpWorker, children_of, is_running,
                            wait_until)
from memory_limit import sanitized

try:
    import jsonschema
except ImportError:
    print("skipped: the Python package jsonschema is not installed")
    sys.exit(77)

SCHEMA = json.loads((PROJECT / "results/schema/results.schema.json").read_text())


def validate(document):
    jsonschema.Draft202012Validator(SCHEMA).validate(document)


class MemoryLimit:
    """A control group that may hold so many bytes; what enters it and wants more is killed by the kernel."""

    def __init__(self, most):
        self.most = most
        v1 = pathlib.Path("/sys/fs/cgroup/memory")
        self.group = (v1 if v1.is_dir() else pathlib.Path("/sys/fs/cgroup")) / f"tuneproof-test-{os.getpid()}"
        self.limit = "memory.limit_in_bytes" if v1.is_dir() else "memory.max"

    def __enter__(self):
        try:
            self.group.mkdir()
            (self.group / self.limit).write_text(str(self.most))
        except OSError as error:
            if self.group.is_dir(): self.group.rmdir()
            raise unittest.SkipTest(f"a control group with a limit on memory cannot be made here: {error}")
        return self

    def __exit__(self, *ignored):
        wait_until(lambda: not (self.group / "cgroup.procs").read_text().strip())
        self.group.rmdir()

    def enter(self):
        (self.group / "cgroup.procs").write_text(str(os.getpid()))


class RealWorker(Folder):
    def test_a_measured_row_satisfies_the_schema_and_the_table_shows_it(self):
        done = self.run_it(ONE_ROW, "--json", self.file, "--seed", "0x1f", "--threads", "1", "--looks", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("dynamic_shape_ops", done.stdout)
        self.assertEqual(done.stderr.splitlines()[-1], f"tuneproof: the results are in {self.file}")
        document = self.document()
        validate(document)
        self.assertEqual(len(document["benchmarks"]), 28)
        self.assertEqual(document["tuneproof"]["session"]["seed"], "0x1f")
        self.assertEqual(len(document["tuneproof"]["pairs"][0]["samples"]["t_ns"]), 14 * 8)
        self.assertEqual(document["tuneproof"]["pairs"][0]["samples"]["round"][::8], list(range(14)))
        self.assertEqual(len(document["tuneproof"]["rounds"]), 14)
        self.assertEqual(len(document["tuneproof"]["rounds"][0]["canary_ns"]), 2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["r.json"])

    def test_a_dash_prints_the_document_alone_on_standard_output(self):
        done = self.run_it(ONE_ROW, "--json", "-", "--budget", "1s")
        self.assertEqual(done.returncode, 0, done.stderr)
        validate(json.loads(done.stdout))
        self.assertRegex(done.stderr, r"\nsync/dynamic_shape_ops: dynamic shape -> fixed shape\n")
        self.assertNotIn("the results are in", done.stderr)

    def test_a_spent_budget_leaves_rows_that_cannot_tell(self):
        done = self.run_it(ROWS, "--device", "cpu", "--budget", "0.1s", "--json", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        block = self.document()["tuneproof"]
        validate(self.document())
        self.assertEqual({pair["result"]["verdict"] for pair in block["pairs"]}, {"inconclusive"})
        for pair in block["pairs"]:  # on a busy machine it says so behind that
            self.assertTrue(pair["reason"].startswith("the budget of 0.1s ran out"), pair["reason"])
        self.assertIn("only 0 of 10 rounds", block["pairs"][0]["result"]["flags"])
        self.assertEqual({error["verdict"] for error in block["errors"]}, {"skipped"})

    def test_no_worker_outlives_a_killed_parent(self):
        parent = subprocess.Popen([PROGRAM, "run", ROWS, "--device", "cpu"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE)
        wait_until(lambda: b"[rehearsal]" in parent.stderr.readline())  # on a busy machine it is not the first line
        wait_until(lambda: children_of(parent.pid))
        workers = children_of(parent.pid)
        parent.kill()
        parent.wait()
        parent.stderr.close()
        wait_until(lambda: not is_running(workers[0]))


class MisbehavingWorker(MadeUpWorker):
    def test_a_crash_in_a_round_is_a_failed_row_and_the_exit_code_says_so(self):
        done = self.fake("good good good segfault:percent:1", "--json", self.file)
        self.assertEqual(done.returncode, 1, done.stderr)
        document = self.document()
        validate(document)
        self.assertEqual([len(pair["round_log_ratios"]) for pair in document["tuneproof"]["pairs"]], [14])
        self.assertEqual([error["message"] for error in document["tuneproof"]["errors"] if error["stage"] != "select"],
                         ["the worker was killed by signal 11 (Segmentation fault)"])

    def test_a_worker_that_eats_all_memory_under_a_limit_is_a_failed_row(self):
        room = 8 if sanitized(PROGRAM) else 1  # the sanitizer's shadow takes memory of its own
        with MemoryLimit(room * 256 << 20) as limit:
            done = self.fake("good eat:percent:1 good", "--json", self.file, preexec_fn=limit.enter)
        self.assertEqual(done.returncode, 1, done.stderr)
        errors = {error["id"]: error["message"] for error in self.document()["tuneproof"]["errors"]}
        self.assertEqual(errors[ONE_ROW], "the worker was killed by signal 9 (Killed), as the kernel does when memory "
                                          "runs out")
        others = [pair for pair in self.document()["tuneproof"]["pairs"] if pair["id"] != ONE_ROW]
        self.assertEqual([len(pair["round_log_ratios"]) for pair in others], [14])

    def test_a_busy_machine_is_told_before_the_budget_is_spent_and_the_file_keeps_it(self):
        worker = self.bin / "tuneproof-worker"
        worker.write_text(worker.read_text().replace('"--probe":\n', '"--probe":\n    __import__("time").sleep(1)\n'))
        burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count())]
        try:
            done = self.fake("good", "--json", self.file, "--budget", "0.1s")
        finally:
            for burner in burners:
                burner.kill()
                burner.wait()
        self.assertRegex(done.stderr, r"(?m)^tuneproof: other programs take \d+ % of the CPUs: the run may take .* "
                         r"times as long, and rows may stay undecided\. Wait until they have ended, or raise the --budget of 0\.1s\.$")
        self.assertLess(done.stderr.index("other programs take"), done.stderr.index("[rehearsal]"))
        self.assertEqual(done.stderr.count("other programs take"), 1, done.stderr)
        validate(self.document())
        self.assertGreater(self.document()["tuneproof"]["session"]["rehearsal_other_cpu_share"], 0.1)

    def test_the_timeout_is_quoted_as_it_was_given(self):
        done = self.fake("hang:percent:1 good", "--timeout", "0.5s")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("failed: no result within 0.5s", done.stdout)

    def test_ctrl_c_keeps_the_finished_rounds_and_ends_the_worker(self):
        for stop, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            self.file.unlink(missing_ok=True)
            process = self.start("good good good hang", "--json", self.file)
            wait_until(lambda: "[round 3/" in process.stderr.readline())
            wait_until(lambda: children_of(process.pid))
            workers = children_of(process.pid)
            process.send_signal(stop)
            out, err = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, code, err)
            self.assertIn("too few rounds", out)
            self.assertIn("tuneproof: stopped, 2 of 14 rounds finished", err)
            validate(self.document())
            self.assertEqual(len(self.document()["tuneproof"]["rounds"]), 2)
            self.assertEqual([pid for pid in workers if is_running(pid)], [])

    def test_the_file_holds_each_round_as_soon_as_it_is_finished(self):
        process = self.start("good good hang", "--json", self.file)
        wait_until(lambda: "[round 2/" in process.stderr.readline())
        process.kill()
        process.communicate()
        validate(self.document())
        self.assertEqual(len(self.document()["tuneproof"]["rounds"]), 1)

    def test_an_interrupted_measurement_is_resumed_with_the_same_schedule(self):
        process = self.start("good good good good hang", "--json", self.file, "--seed", "5")
        wait_until(lambda: "[round 4/" in process.stderr.readline())
        process.kill()
        process.communicate()
        done = self.resume()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"\A(tuneproof: other programs .*\n)?\[round 4/14\] ")
        document = self.document()
        validate(document)
        self.assertEqual([round["round"] for round in document["tuneproof"]["rounds"]], list(range(14)))
        self.assertEqual(document["tuneproof"]["session"]["seed"], "0x5")
        self.assertEqual({len(pair["round_log_ratios"]) for pair in document["tuneproof"]["pairs"]}, {14})
        self.assertEqual(self.resume("segfault").returncode, 0)  # nothing is left to do

    def test_a_kill_at_any_moment_leaves_every_finished_round_and_a_file_to_resume(self):
        moments = random.Random(1)
        for _ in range(int(os.environ.get("TUNEPROOF_KILLS", "4"))):
            self.file.unlink(missing_ok=True)
            process = self.start("good", "--json", self.file)
            try:
                _, err = process.communicate(timeout=moments.uniform(0.1, 2))
            except subprocess.TimeoutExpired:
                process.kill()
                _, err = process.communicate()
            begun = err.count("[round ")
            if not self.file.exists():
                self.assertEqual(begun, 0)
                continue
            validate(self.document())
            self.assertGreaterEqual(len(self.document()["tuneproof"]["rounds"]), begun - 1)
            done = self.resume()
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(self.document()["tuneproof"]["rounds"]), 14)

    def test_a_file_is_resumed_only_where_and_with_what_it_was_begun(self):
        self.assertEqual(self.fake("good", "--json", self.file, "--budget", "0.01s").returncode, 0)
        kept = self.file.read_text()
        self.assert_one_sentence(self.resume("good", RUNTIME="12.4"), "r.json: cannot resume this file here: "
                                 'software/cuda_runtime was "13.0" and is now "12.4"')
        self.assert_one_sentence(self.resume("good", "--seed", "7"), "--resume takes the plan from its file")
        self.assert_one_sentence(self.resume("good", ROWS), "--resume takes the plan from its file")
        self.assert_one_sentence(self.resume("good", "--leave-one-out"), "--leave-one-out: --resume takes the plan")
        self.assertEqual(self.file.read_text(), kept)
        self.file.write_text(kept.replace('"head":"', '"head":"0'))
        self.assert_one_sentence(self.resume(), "r.json: cannot resume this file: tuneproof began it at commit 0")
        self.file.write_text(kept[:1000])
        self.assert_one_sentence(self.resume(), "r.json: ")
        self.file.unlink()
        self.assert_one_sentence(self.resume(), "r.json: ")

    def test_wrong_input_found_by_a_worker_ends_the_run(self):
        done = self.fake("bad_input", "--json", self.file)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.splitlines()[-1], "tuneproof: a.csv:3: no number")
        self.assertFalse(self.file.exists())

    def test_a_run_that_does_not_start_leaves_the_old_file_alone(self):
        self.file.write_text("old")
        refused = [("no/such/step",), (ROWS, "--budget", "3x"), (ROWS, "--device", "tpu"), (ROWS, "--nonsense", "1"),
                   (ROWS, "--looks", "2"), (ROWS, "--threads", "0"), (ROWS, "--point", "percent=7"), (ROWS, "--seed", "-1")]
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
        self.assertNotIn("could not be written", done.stderr)
        done = self.fake("good", "--json", self.file, stdout=self.closed_pipe())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.document()["tuneproof"]["pairs"]), 2)

    def test_an_output_that_is_full_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = self.fake("good", stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("tuneproof: the output could not be written"), 1, done.stderr)

    def test_a_dry_run_names_the_rows_and_measures_nothing(self):
        done = self.fake("segfault", "--dry-run", "--json", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("sync/dynamic_shape_ops/op:select/percent:50/device:cpu  ", done.stdout)
        self.assertRegex(done.stdout, r"\n4 rows, 2 of them skipped, at most about \d+ s\n\Z")
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
