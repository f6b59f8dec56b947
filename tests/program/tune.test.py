"""`tuneproof tune` from outside: commands that print their metric, so that no test depends on speed.

Usage: tune.test.py TUNEPROOF PROJECT [unittest arguments]. A Python with Optuna is made with pip, as scripts/versions.sh pins it.
"""

import os
import pathlib
import re
import resource
import shlex
import signal
import sqlite3
import subprocess
import sys
import unittest

import pinned
from processes import PATIENCE, ProcessesTest, command_of, descendants, reap_orphans

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
# The time of 100 samples falls with the batch and has its minimum at 3 workers; batches of 64 lose.
COMMAND = ("w={workers:0..5}; b={batch:16,32,64}; echo x >> runs; "
           "echo value $(( 100 + 1000 / b + 10 * (w - 3) * (w - 3) )) loss=$(( b > 32 ? 2 : 1 ))")
KEPT = ["--metric-from", r"value (\S+)", "--keep", r"loss=(\S+)", "--within", "2%"]


# Answers as Optuna's side does, at once: each knob's values one after the other.
FAKE_STUDY = """#!{python}
import json, sys
number = -1
for line in sys.stdin:
    question = json.loads(line)
    answer = {{"give_up": False}}
    if question["ask"] == "open":
        knobs, answer = question["knobs"], {{"version": "0", "tried": [], "uncounted": 0}}
    elif question["ask"] == "ask":
        number += 1
        answer = {{"number": number, "settings": {{knob["name"]: knob["values"][number % len(knob["values"])] for knob in knobs}}}}
    print(json.dumps(answer), flush=True)
"""


def name_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


class Tune(ProcessesTest):
    def words(self, *more, command=COMMAND, python=sys.executable):
        return [PROGRAM, "tune", command, *KEPT, "--python", python, "--seed", "1", *map(str, more)]

    def tune(self, *more, patience=600, **named):
        return subprocess.run(self.words(*more, **named), text=True, capture_output=True, timeout=patience, cwd=self.folder,
                              env=self.environment())

    def fake_study(self):
        file = self.folder / "study"
        file.write_text(FAKE_STUDY.format(python=sys.executable))
        file.chmod(0o755)
        return file

    def runs(self):
        return len((self.folder / "runs").read_text().split())

    def test_a_search_tries_everything_and_proves_the_best_that_keeps_the_loss(self):
        done = self.tune("--trials", "40", "--json", self.file)
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, said)
        self.assertEqual(len(re.findall(r"(?m)^trial \d+/40 ", done.stderr)), 18, said)  # there are no more
        self.assertIn("batch=64 workers=3: failed: 2 is more than 2 % above the 1 of the first command", said)
        self.assertRegex(done.stdout, r"Proven: better \(-48\.0 %")
        self.assertIn("Take: w=3; b=32;", done.stdout)
        self.assertEqual(len(self.block()["pairs"]), 3)

    def test_a_killed_search_goes_on_without_doing_anything_twice(self):
        started = subprocess.Popen(self.words("--trials", "12"), text=True, cwd=self.folder, env=self.environment(),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for line in started.stderr:
            if line.startswith("trial 4/"):
                break
        started.send_signal(signal.SIGKILL)
        started.communicate(timeout=60)
        with sqlite3.connect(self.folder / "tune.db") as database:
            kept, = database.execute("SELECT count(*) FROM trial_user_attributes WHERE key = 'output'").fetchone()
        self.assertGreaterEqual(kept, 4)
        done = self.tune("--trials", "12")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"tune.db: goes on after {kept} trials", done.stderr)
        self.assertEqual(len(re.findall(r"(?m)^trial \d+/12 ", done.stderr)), 12 - kept)

    def states(self):
        """How many trials the database has of each state."""
        with sqlite3.connect(self.folder / "tune.db") as database:
            return dict(database.execute("SELECT state, count(*) FROM trials GROUP BY state"))

    def started(self, *more, **named):
        """A search whose third trial goes on until `go` is there."""
        command = "echo x >> runs; test $(wc -l < runs) -ne 3 || while ! test -e go; do sleep 0.1; done; echo value {n:9,8,7,6,5} loss=1"
        program = subprocess.Popen(self.words("--trials", "5", *more, command=command, **named), text=True, cwd=self.folder,
                                   env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not (self.folder / "runs").exists() or self.runs() < 3:
            self.assertIsNone(program.poll())
        return command, program

    def test_a_storage_has_one_search_at_a_time(self):
        (self.folder / "link.db").symlink_to("tune.db")
        command, first = self.started()
        for storage in ("tune.db", self.folder / "tune.db", "link.db"):
            second = self.tune("--storage", storage, command=command)
            self.assertEqual((second.returncode, second.stdout), (1, ""))
            self.assertRegex(second.stderr, r"\Atuneproof: \S*tune\.db: another tuneproof is writing it; wait for its end, or name "
                                            r"another file\n\Z")
        self.assertEqual(self.runs(), 3)
        (self.folder / "go").touch()
        said = first.communicate(timeout=PATIENCE)
        self.assertEqual(first.returncode, 0, said)
        self.assertEqual(self.states(), {"COMPLETE": 5})

    def test_the_study_holds_what_ran_and_nothing_else(self):
        done = self.tune("--trials", "18")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("18 trials by Optuna", done.stderr)
        self.assertEqual(self.states(), {"COMPLETE": 12, "FAIL": 6})  # batches of 64 lose

    def test_a_trial_that_ctrl_c_cut_has_failed_and_is_tried_again(self):
        command, first = self.started()
        first.send_signal(signal.SIGINT)
        said = first.communicate(timeout=PATIENCE)[1]
        self.assertEqual(first.returncode, 130, said)
        self.assertIn("stopped after 2 trials and 1 that did not count; the same command goes on", said)
        self.assertEqual(self.states(), {"COMPLETE": 2, "FAIL": 1})
        done = self.tune("--trials", "5", command=command)
        self.assertIn("tune.db: goes on after 2 trials and 1 that did not count", done.stderr)
        self.assertEqual(self.states(), {"COMPLETE": 5, "FAIL": 1})

    def test_what_was_killed_with_its_python_has_failed_at_the_next_start(self):
        command, first = self.started()
        for pid in descendants(first.pid) - {first.pid}:
            if b"-c" in command_of(pid).split(b"\0") and b"optuna" in command_of(pid):
                os.kill(pid, signal.SIGKILL)
        first.kill()
        first.communicate(timeout=PATIENCE)
        (self.folder / "go").touch()
        self.assertEqual(self.states(), {"COMPLETE": 2, "RUNNING": 1})
        done = self.tune("--trials", "5", command=command)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.states(), {"COMPLETE": 5, "FAIL": 1})

    def test_a_trial_that_the_budget_cut_has_failed(self):
        done = self.tune("--budget", "6s", command="sleep {n:0,1000}; echo value {n} loss=1")
        self.assertEqual(set(self.states()) - {"FAIL", "COMPLETE"}, set(), done.stderr)

    def test_a_search_keeps_of_its_budget_what_a_proof_needs(self):
        done = self.tune("--trials", "1000", "--budget", "20s", "--json", self.file, python=self.fake_study(),
                         command="sleep 0.1; echo value {n:9,8,7,6} loss=1")  # a quarter of the room would do
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("that a plain difference takes", done.stdout + done.stderr)
        self.assertRegex(done.stdout, "Proven: better")
        self.assertGreaterEqual(len(self.block()["rounds"]), 3)

    def test_a_proof_without_room_is_not_begun_and_its_command_is_shown(self):
        done = self.tune("--trials", "2", "--budget", "3s", python=self.fake_study(), command="sleep 0.5; echo value {n:9,8} loss=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        sentence, shown = done.stdout.splitlines()
        self.assertRegex(sentence, r"\AThe proof is not begun, since that of the best alone takes about .* and --budget leaves it .*; the "
                                   r"same command with --budget \d+s goes on and has room for that, or this proves what was found:\Z")
        name, *words = shlex.split(shown)
        self.assertEqual((name, words[0]), ("tuneproof", "versus"))
        proven = subprocess.run([PROGRAM, *words], text=True, capture_output=True, timeout=PATIENCE, cwd=self.folder,
                                env=self.environment())
        self.assertIn(" better", proven.stdout, proven.stderr)
        budget = 2 * int(re.search(r"--budget (\d+)s", sentence)[1])  # twice: the machine may be slower by then
        done = self.tune("--trials", "2", "--budget", f"{budget}s", python=self.fake_study(), command="sleep 0.5; echo value {n:9,8} loss=1")
        self.assertIn("Proven: better", done.stdout, done.stderr)

    def test_a_number_below_0_may_lie_above_that_of_the_command_by_a_share_of_its_absolute_value(self):
        done = self.tune("--trials", "4", python=self.fake_study(),
                         command="echo value {n:9,8,7,6} loss={l:-100,-98,-97,-200}")
        self.assertIn("l=-98 n=8: 8", done.stderr)
        self.assertIn("l=-97 n=7: failed: -97 is more than 2 % above the -100 of the first command", done.stderr)
        self.assertIn("l=-200 n=6: 6", done.stderr)

    def test_a_command_that_failed_as_it_stands_is_tried_again_once_it_is_mended(self):
        command = "test -e mended && echo value {n:9,8} loss=1"
        self.assertEqual(self.tune(command=command).returncode, 1)
        (self.folder / "mended").touch()
        done = self.tune(command=command)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("n=9: 9", done.stderr)

    def test_a_search_that_took_no_time_leaves_its_budget_to_the_proof(self):
        command = "test -e slow && sleep 0.2; echo value {n:9,8,7,6} loss=1"
        done = self.tune("--trials", "4", "--budget", "32s", "--cleanup", "touch slow", command=command, python=self.fake_study())
        self.assertIn("4 trials by Optuna ", done.stderr)
        self.assertNotIn("that a plain difference takes", done.stderr)  # two fifths of it are too short for six rounds

    def test_a_metric_is_divided_by_a_knob(self):
        done = self.tune("--per", "batch", "--trials", "2", command="echo value $(( 10 * {batch:16,32} + 160 )) loss=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("batch=16: 20", done.stderr)
        self.assertIn("batch=32: 15", done.stderr)
        self.assertRegex(done.stdout, r"Proven: better \(-25\.0 %")

    def test_the_search_imports_no_module_of_the_current_folder(self):
        for module in ("json", "optuna", "sqlite3"):
            (self.folder / f"{module}.py").write_text("raise SystemExit('a stranger')\n")
        done = self.tune("--trials", "2", command="echo value {n:1,2} loss=1")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_nothing_better_is_said(self):
        done = self.tune("--trials", "2", command="echo value {n:1,2} loss=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Nothing better than the command as it stands was proven", done.stdout)

    def hanging_python(self, *more):
        """A search whose Python never answers, and ends neither with its input nor alone."""
        hangs = self.folder / "hangs"
        hangs.write_text("#!/bin/sh\nsleep 1000 &\nsleep 1000\n")
        hangs.chmod(0o755)
        return subprocess.Popen(self.words(*more, python=hangs), cwd=self.folder, stderr=subprocess.PIPE, text=True,
                                env=self.environment())

    def assert_ends_with_its_python(self, started, code, sentence):
        said = started.communicate(timeout=PATIENCE)[1]
        self.assertEqual((started.returncode, said), (code, f"tuneproof: {sentence}\n"))
        reap_orphans()
        self.assertEqual([name_of(pid) for pid in descendants(os.getpid())], [])

    def test_what_hangs_does_not_outlast_the_budget(self):
        python = self.hanging_python("--budget", "1s", "--storage", "other.db")
        done = self.tune("--budget", "1s", command="sleep {n:1000,2000}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("No other settings came to an end", done.stdout)
        self.assert_ends_with_its_python(python, 1, f"{self.folder}/hangs did not answer for Optuna within --budget; raise that, or "
                                                    "name another Python with --python")

    def test_a_trial_and_a_setup_that_hang_end_with_the_search(self):
        done = self.tune("--budget", "4s", command="echo x >> runs; sleep {n:1000,2000}", python=self.fake_study(), patience=30)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("No other settings came to an end", done.stdout)
        self.assertEqual(self.runs(), 1)
        done = self.tune("--budget", "4s", "--setup", "sleep 1000", python=self.fake_study(), patience=30)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn('--setup "sleep 1000": it had not ended when --budget was over; raise it', done.stderr)

    def test_ctrl_c_ends_a_python_that_hangs(self):
        python = self.hanging_python()
        while sum(name_of(pid) == "sleep" for pid in descendants(python.pid)) < 2:
            self.assertIsNone(python.poll())
        python.send_signal(signal.SIGINT)
        self.assert_ends_with_its_python(python, 130, "stopped before the first trial")

    def test_a_storage_that_cannot_be_written_is_not_left_behind(self):
        done = subprocess.run(self.words(), text=True, capture_output=True, timeout=PATIENCE, cwd=self.folder, env=self.environment(),
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"\Atuneproof: tune\.db: [^\n]+; name another file with --storage\n\Z")
        self.assertFalse((self.folder / "tune.db").exists())

    def test_what_goes_wrong_is_one_sentence(self):
        (self.folder / "text.db").write_text("no database")
        with sqlite3.connect(self.folder / "other.db") as database:
            database.execute("CREATE TABLE cats (name)")
        self.tune("--storage", "hole.db", "--trials", "2")
        with sqlite3.connect(self.folder / "hole.db") as database:
            database.execute("UPDATE trial_values SET value = NULL")
        for more, command, sentence in [
                ([], "true", "has no knob in it"),
                ([], "echo {n:1}", "two values at least"),
                (["--per", "b"], "echo {n:1,2}", "--per b: the command has no such knob"),
                (["--per", "n"], "echo {n:0,2}", 'its value "0" is not a number above 0'),
                (["--storage", "text.db"], COMMAND, "text.db: DatabaseError: file is not a database"),
                (["--storage", "hole.db"], COMMAND, "hole.db: AssertionError: what is in it was not expected; name another"),
                (["--storage", "other.db"], COMMAND, "other.db: ValueError: it is a database of something else")]:
            with self.subTest(more=more, command=command):
                done = self.tune(*more, command=command)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(sentence, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for python, sentence in [("/usr/bin/false", "tune needs a Python with Optuna"), ("no-python", "no-python: cannot be started")]:
            done = self.tune(python=python)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(sentence, done.stderr)
        failing = self.tune(command="exit {n:1,2}")
        self.assertEqual(failing.returncode, 1)
        self.assertIn("the command as it stands fails, so nothing can be compared with it: it exited with 1", failing.stderr)


if __name__ == "__main__":
    pinned.run_inside("optuna", PROJECT, "optuna_wheels")
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
