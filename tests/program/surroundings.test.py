"""`tuneproof run` where the surroundings give too little, signals come, and others want the same file.

Usage: surroundings.test.py TUNEPROOF PROJECT [unittest arguments]
"""

import gzip
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import unittest

from made_up_worker import (FAKE_WORKER, ONE_ROW, PATIENCE, PROGRAM, PROJECT, ROWS, Folder, MadeUpWorker, children_of,
                            is_running, wait_until)
from memory_limit import sanitized
from processes import adopt_orphans, state_of

RESULTS = PROJECT / "results/cpu-amd-epyc-2-cores/2026-11-21-9756841.json.gz"


def at_most(what, bytes):
    return lambda: resource.setrlimit(what, (bytes, bytes))


@unittest.skipIf(sanitized(PROGRAM), "the sanitizer needs more of all of it")
class Limits(MadeUpWorker):
    def limited(self, what, most, *arguments, program=None):
        return subprocess.run([program or self.program, *arguments], capture_output=True, text=True, timeout=PATIENCE,
                              cwd=self.folder, preexec_fn=at_most(what, most), env={**os.environ, "FAKE": "good"})

    def test_a_small_stack_is_named_with_the_command_that_raises_it(self):
        self.assert_one_sentence(self.limited(resource.RLIMIT_STACK, 64 << 10, "run", ROWS),
                                 "tuneproof: the stack may have 64 KiB, and 256 are needed; run ulimit -s 256 first")

    def test_few_open_files_are_named_with_the_command_that_raises_the_limit(self):
        self.assert_one_sentence(self.limited(resource.RLIMIT_NOFILE, 12, "run", ROWS),
                                 "tuneproof: 12 files may be open at once, and 32 are needed; run ulimit -n 32 first")

    def test_a_file_that_may_not_grow_is_an_error_that_leaves_nothing(self):
        for most in (0, 1 << 10):
            done = self.limited(resource.RLIMIT_FSIZE, most, "run", ROWS, "--device", "cpu", "--looks", "1", "--json", self.file)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("r.json: cannot be written: File too large", done.stderr)
            self.assertEqual(os.listdir(self.folder), [])

    def test_a_program_that_is_watched_is_still_ended_by_the_limit(self):
        done = self.limited(resource.RLIMIT_FSIZE, 1 << 20, "watch", "--", "sh", "-c", "exec yes > grown")
        self.assertEqual(done.returncode, -signal.SIGXFSZ, done.stderr)

    def test_a_small_address_space_is_not_called_another_LibTorch(self):
        done = self.limited(resource.RLIMIT_AS, 1 << 30, "run", ONE_ROW, program=PROGRAM)
        self.assert_one_sentence(done, "tuneproof-worker cannot start: its address space is too small for LibTorch",
                                 "ulimit -v unlimited")

    def test_memory_that_runs_out_is_named_wherever_it_does(self):
        no_memory = "tuneproof: not enough memory; free some, or raise the limit with ulimit -v unlimited\n"
        self.file.write_text(json.dumps({"events": [{"args": {"a": [1, 2]}}] * 300_000}))
        for megabytes in (40, 50, 60):  # taking down what was read takes memory again
            done = self.limited(resource.RLIMIT_AS, megabytes << 20, "report", self.file, "--markdown")
            self.assertEqual((done.returncode, done.stderr), (1, no_memory), megabytes)
        at_start = [self.limited(resource.RLIMIT_AS, megabytes << 20, "list") for megabytes in range(18, 40, 2)]
        failed = {done.stderr for done in at_start if "loading shared libraries" not in done.stderr and done.returncode}
        self.assertEqual(failed, {no_memory})

    def test_no_library_of_the_current_folder_is_loaded(self):
        for name in ("libfmt.so.9", "libdeflate.so.0", "libstdc++.so.6", "libsqlite3.so.0"):
            (self.folder / name).touch()
        for command in ([PROGRAM, "list"], [PROGRAM.parent / "tuneproof-worker", "--probe", "cpu"]):
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_missing_temporary_folder_is_named(self):
        done = subprocess.run([PROGRAM, "simulate", "sync/item_every_step", "--gpu", "a30"], capture_output=True, text=True,
                              timeout=PATIENCE, env={**os.environ, "TMPDIR": str(self.folder / "none")})
        self.assert_one_sentence(done, "tuneproof: the temporary folder cannot be used; set TMPDIR to one")

    def test_a_missing_proc_is_named(self):
        done = subprocess.run(["unshare", "--mount", "sh", "-c", 'umount -l /proc && exec "$0" list || exit 88', self.program],
                              capture_output=True, text=True, timeout=PATIENCE)
        if "tuneproof" not in done.stderr:
            self.skipTest(f"nobody may unmount /proc here: {done.stderr}")
        self.assertEqual(done.stderr.splitlines(), ["tuneproof: /proc is not mounted, and tuneproof reads there what the machine "
                                                    "has and does; mount it first"])


class OneWriter(MadeUpWorker):
    def test_a_file_that_is_being_written_is_refused_to_a_second_run_and_to_a_resumption(self):
        process = self.start("good good hang", "--json", self.file)
        wait_until(lambda: "[round 2/" in process.stderr.readline())
        for second in (self.fake("good", "--json", self.file), self.resume()):
            self.assert_one_sentence(second, "r.json: another tuneproof is writing it; wait for its end, or name another file")
        for way in (["true", "true", "--json"], ["--resume"]):  # --resume waits for the file before it reads it
            commands = subprocess.run([PROGRAM, "versus", *way, self.file], capture_output=True, text=True, timeout=PATIENCE)
            self.assert_one_sentence(commands, "r.json: another tuneproof is writing it")
        process.kill()
        process.communicate()
        self.assertEqual(os.listdir(self.folder), ["r.json"])
        self.assertEqual(self.resume().returncode, 0)
        self.assertEqual(len(self.document()["tuneproof"]["rounds"]), 14)

    def test_what_another_machine_has_put_there_meanwhile_stays(self):
        theirs = self.folder / "theirs"
        theirs.write_text("theirs")
        text = FAKE_WORKER.format(python=sys.executable, golden=PROJECT / "tests/golden/results.json")
        self.worker(text.replace("acts = ", f"if n == 3: os.rename('{theirs}', '{self.file}')\nacts = "))
        done = self.fake("good", "--json", self.file)
        self.assertEqual((done.returncode, self.file.read_text()), (1, "theirs"), done.stderr)
        self.assertIn("r.json: another program has written it meanwhile; move it away, and this one goes on", done.stderr)


class Waiting(MadeUpWorker):
    def test_a_worker_that_stands_still_does_not_outlast_the_budget(self):
        done = self.fake("good good hang", "--json", self.file, "--budget", "1s", "--timeout", "1h")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the budget of 1s ran out after", done.stderr)
        for pair in self.document()["tuneproof"]["pairs"]:  # on a busy machine it says so behind that
            self.assertTrue(pair["reason"].startswith("the budget of 1s ran out"), pair["reason"])

    def test_a_profile_that_stands_still_takes_no_longer_than_the_budget_again(self):
        text = FAKE_WORKER.format(python=sys.executable, golden=PROJECT / "tests/golden/results.json")
        self.worker(text.replace("n = 0 if", "n = 99 if task.get('profile') else 0 if"))
        done = self.fake("good hang", "--json", self.file, "--budget", "1s", "--timeout", "1h", "--profile")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("profiled, since that may take as long again as the budget of 1s; raise --budget", done.stderr)

    def counted(self, *arguments, **environment):
        text = FAKE_WORKER.format(python=sys.executable, golden=PROJECT / "tests/golden/results.json")
        self.worker(text.replace("act, _, rows = acts[min(n, len(acts) - 1)]", "act, _, rows = ('hang' if 'count' in task else 'good')"))
        done = self.run_it(ROWS, "--device", "cpu", "--looks", "1", "--json", self.file, "--count", "instructions", *arguments,
                           program=self.program, env={**os.environ, "FAKE": "good", **environment})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_a_count_that_stands_still_takes_no_longer_than_the_budget_again(self):
        valgrind = self.bin / "valgrind"  # in the place of the real one, which takes long to start
        valgrind.write_text('#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift; done\nexec "$@"\n')
        valgrind.chmod(0o755)
        said = self.counted("--budget", "10s", "--timeout", "1h", PATH=f"{self.bin}:{os.environ['PATH']}")
        self.assertRegex(said, r"\d+ rows? w\S+ not counted, since that may take as long again as the budget of 10s; raise --budget")

    def test_rows_that_nothing_can_count_are_not_said_to_need_time(self):
        self.assertNotIn("raise --budget", self.counted("--timeout", "20s", PATH=str(self.folder)))

    def test_ctrl_c_ends_a_probe_that_hangs_and_what_it_has_started(self):
        for stop, closed in ((signal.SIGINT, ""), (signal.SIGTERM, "exec >&- 2>&-\n")):
            self.worker(f"#!/bin/sh\n{closed}sleep 1000 &\necho $! > {self.folder}/started\nsleep 1000\n")
            started = self.folder / "started"
            started.unlink(missing_ok=True)
            process = self.start("")
            wait_until(lambda: started.exists() and started.read_text().strip())
            left = [int(started.read_text()), *children_of(process.pid)]
            process.send_signal(stop)
            process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, -stop)
            self.assertEqual([pid for pid in left if is_running(pid)], [])

    def test_a_probe_does_not_outlive_its_parent(self):
        adopt_orphans()
        status = 0
        while status == 0:  # until it is seen before it has ended
            process = subprocess.Popen([PROGRAM, "run", ROWS, "--device", "cpu"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wait_until(lambda: children_of(process.pid))
            worker = children_of(process.pid)[0]
            os.kill(worker, signal.SIGSTOP)
            wait_until(lambda: state_of(worker)[0] in "TZ")
            process.kill()
            process.wait()
            os.kill(worker, signal.SIGCONT)
            status = os.waitpid(worker, 0)[1]
        # Its own end, or the kernel's: it neither went on nor answered into the closed pipe.
        self.assertIn(status, (signal.SIGKILL, 1 << 8))

    def test_another_process_than_the_parent_is_refused(self):
        for program in (PROGRAM, PROGRAM.parent / "tuneproof-worker"):
            words = ["--parent", "1", "list"] if program == PROGRAM else ["--probe", "cpu", "--parent", "1"]
            done = subprocess.run([program, *words], capture_output=True, text=True, timeout=PATIENCE)
            self.assert_one_sentence(done, "process 1 is not, or no longer, the parent of this one")

    def test_a_measurement_does_not_outlive_the_command_that_began_it(self):
        adopt_orphans()
        started = self.folder / "started"
        self.worker(f"#!/bin/sh\necho $$ > {started}\nexec sleep 1000\n")
        trace = json.dumps({"what": "their_trace", "file": str(PROJECT / "docs/learn/traces/loop.json")})
        note = 'echo "$0" > "${PYTHONPATH%%:*}/notes/1"'
        for command, typed in ((["learn", "32", "--progress", self.folder / "learn.json"], b"faster\n"),
                               (["watch", "--measure", "--", "sh", "-c", note, trace], b"")):
            started.unlink(missing_ok=True)
            process = subprocess.Popen([self.program, *command], cwd=self.folder, stdin=subprocess.PIPE,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.addCleanup(process.stdin.close)
            process.stdin.write(typed)
            process.stdin.flush()
            wait_until(lambda: started.exists() and started.read_text().strip())
            worker = int(started.read_text())
            run = state_of(worker)[1]
            process.kill()
            process.wait()
            self.assertEqual(os.waitpid(run, 0)[1], signal.SIGTERM, command)
            self.assertFalse(is_running(worker))

    def test_a_pipe_is_no_file_to_resume(self):
        os.mkfifo(self.file)
        for command in ("run", "versus"):
            done = subprocess.run([self.program, command, "--resume", self.file], capture_output=True, text=True, timeout=PATIENCE)
            self.assert_one_sentence(done, "r.json: is not a regular file")


class ThreadOfTheDriver(MadeUpWorker):
    """NVIDIA's library leaves a thread in the program that asks it, and a signal that ends a program may come to any."""

    def stopped(self, command, is_far_enough, acts="good good hang"):
        (self.folder / "libnvidia-ml.so.1").symlink_to(PROGRAM.parent / "libfake_nvml.so")
        libraries = f"{self.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}".strip(":")
        process = subprocess.Popen([self.program, *command, "--json", self.file], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, cwd=self.folder, start_new_session=True,
                                   env={**os.environ, "FAKE": acts, "LD_LIBRARY_PATH": libraries})
        wait_until(lambda: is_far_enough(process))
        for _ in range(2):  # as `timeout` does
            os.killpg(process.pid, signal.SIGINT)
        out, said = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 128 + signal.SIGINT, said)
        self.assertIn(f"`tuneproof {command[0]} --resume {self.file}` goes on", said)
        return out

    def test_ctrl_c_keeps_the_finished_rounds_of_a_run(self):
        out = self.stopped(["run", ROWS, "--device", "cpu", "--looks", "1"],
                           lambda process: "[round 2/" in process.stderr.readline())
        self.assertIn("too few rounds", out)

    def test_ctrl_c_keeps_the_finished_rounds_of_a_comparison_of_commands(self):
        far = "echo >> runs; test $(wc -l < runs) -lt 9 || { touch far; read forever < pipe; }"
        os.mkfifo(self.folder / "pipe")
        out = self.stopped(["versus", far, "true"], lambda process: (self.folder / "far").exists())
        self.assertIn("COMMAND", out)


class Said(MadeUpWorker):
    def test_a_reader_of_standard_error_that_left_ends_no_measurement(self):
        done = subprocess.run([self.program, "run", ROWS, "--device", "cpu", "--looks", "1", "--json", self.file],
                              stdout=subprocess.PIPE, stderr=self.closed_pipe(), timeout=PATIENCE,
                              env={**os.environ, "FAKE": "good"})
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(self.document()["tuneproof"]["rounds"]), 14)
        done = subprocess.run([PROGRAM, "versus", "true", "true", "--budget", "2s"], stdout=subprocess.PIPE, stderr=self.closed_pipe(),
                              timeout=PATIENCE, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn("COMMAND", done.stdout)

    def test_a_reader_of_standard_error_that_left_still_gets_the_document(self):
        for command, environment in (([self.program, "run", ROWS, "--device", "cpu", "--looks", "1"], {"FAKE": "good"}),
                                     ([PROGRAM, "versus", "true", "true", "--budget", "2s", "--fail-above", "50%"], {})):
            done = subprocess.run([*command, "--json", "-"], stdout=subprocess.PIPE, stderr=self.closed_pipe(), timeout=PATIENCE,
                                  env={**os.environ, **environment})
            self.assertIn(done.returncode, (0, 4), command)  # a gate may leave two short commands undecided
            self.assertEqual(json.loads(done.stdout)["tuneproof"]["schema"], "tuneproof.results")

    def test_the_name_of_a_file_to_go_on_with_moves_no_cursor(self):
        hostile = self.folder / "r\x1b[2J.json"
        process = subprocess.Popen([PROGRAM, "versus", "sleep 1", "sleep 1", "--json", hostile], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        wait_until(hostile.exists)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)
        self.assertIn("goes on", err)
        self.assertNotIn("\x1b", err)

    def test_a_stopped_run_names_a_file_to_go_on_with_only_where_there_is_one(self):
        for acts, until, named in (("hang", "[rehearsal]", False), ("good good hang", "[round 2/", True)):
            process = self.start(acts, "--json", self.file)
            wait_until(lambda: until in process.stderr.readline())
            wait_until(lambda: children_of(process.pid))
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE)
            self.assertEqual("--resume" in err, named, err)
            self.assertEqual(self.file.exists(), named)

    def test_texts_of_a_resumed_file_move_no_cursor(self):
        self.assertEqual(self.fake("good good segfault:percent:1 good", "--json", self.file).returncode, 1)
        hostile = "\x1b[2J\x9b31m\u202e"
        document = self.document()
        block = document["tuneproof"]
        block["errors"][-1]["message"] = hostile
        block["pairs"][0]["result"]["flags"] = [hostile]
        block["fingerprint"]["info"]["gpu_uuid"] = hostile
        self.file.write_text(json.dumps(document))
        done = self.resume("good", "--details")
        self.assertIn("rows:", done.stdout + done.stderr)
        for hidden in hostile[0], "\x9b", "\u202e":
            self.assertNotIn(hidden, done.stdout + done.stderr)

    def test_what_a_worker_says_moves_no_cursor(self):
        said = 'import sys\nprint("\\x1b[2J\\u202e", flush=True)\n'
        self.worker(FAKE_WORKER.format(python=sys.executable, golden=PROJECT / "tests/golden/results.json")
                    .replace("task = json.load", said + "task = json.load"))
        done = self.fake("good")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("?[2J?", done.stderr)
        self.assertNotIn("\x1b", done.stderr)


class Many(Folder):
    def assert_linear(self, write, *command):
        """Of CPU time, five times as much takes 5 times as long, and 25 times where each looks at all the others. Gives what it says."""
        seconds = []
        for count in (20_000, 100_000):
            self.file.write_text(json.dumps(write(count)))
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run([PROGRAM, *command], capture_output=True, text=True, timeout=PATIENCE, cwd=self.folder)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        self.assertLess(seconds[1], 10 * seconds[0])
        return done.stdout

    def test_a_hundred_thousand_skipped_rows_are_compared_in_linear_time(self):
        document = json.loads(gzip.decompress(RESULTS.read_bytes()))
        block = document["tuneproof"]
        skipped = block["errors"][0]
        def write(count):
            block["errors"] = [dict(skipped, id=f"{skipped['id']}/n:{i}") for i in range(count)]
            return document
        self.assertIn("100015 rows", self.assert_linear(write, "compare", self.file, self.file))

    def test_a_hundred_thousand_prices_are_read_in_linear_time(self):
        names = ("copy/h2d/host:{}/bytes:1KiB", "allocate/malloc_touched/bytes:{}", "allocate/kept_touched/bytes:{}",
                 "memcpy/bytes:{}", "copy/d2h/host:pinned/bytes:{}")
        def write(count):
            each = ((name.format(i + 1), 1 + i ** 0.5) for i in range(count // len(names)) for name in names)
            return {"context": {}, "benchmarks": [{"name": f"prices/{name}", "run_type": "iteration", "real_time": time, "time_unit": "ns",
                                                   "bytes_per_second": 1e9} for name, time in each]}
        self.assert_linear(write, "explain", "cpu/malloc", "--prices", self.file)
        self.assert_linear(write, "report", self.file, "-o", self.folder / "page.html")

    def test_a_hundred_thousand_steps_of_a_trace_are_judged_in_linear_time(self):
        def write(count):
            each = (("user_annotation", "ProfilerStep#{}", 1, 0, 900), ("cpu_op", "aten::mm", 1, 10, 50), ("kernel", "gemm", 7, 100, 700))
            return [{"ph": "X", "cat": kind, "name": name.format(step), "pid": 1, "tid": thread, "ts": 1000 * step + begin, "dur": us}
                    for step in range(count) for kind, name, thread, begin, us in each]
        self.assertIn("ProfilerStep#99999", self.assert_linear(write, "diagnose", self.file))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
