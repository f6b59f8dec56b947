"""`tuneproof versus` from outside. Most commands print the number that is compared: no test depends on speed.

Usage: versus.test.py TUNEPROOF [unittest arguments].
"""

import json
import os
import pathlib
import pty
import re
import resource
import shlex
import signal
import subprocess
import sys
import textwrap
import time
import unittest
import xml.etree.ElementTree

from processes import ProcessesTest, descendants, reap_orphans

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
PRINTED = ["--metric-from", r"value (\S+)"]
TEN, TWENTY = "echo value 10", "echo value 20"

# As much of torch as the recorder needs to see steps.
FAKE_TORCH = """
    __version__ = "9.9"
    class profiler:
        kineto_available = staticmethod(lambda: True)
        class _KinetoProfile:
            def export_chrome_trace(self, path): pass
    class cuda:
        is_initialized = staticmethod(lambda: False)
    class autograd:
        backward = staticmethod(lambda tensors: None)
        grad = staticmethod(lambda outputs, inputs: None)
        class profiler:
            class profile:
                def __init__(self): pass
    class _C: pass
    class utils:
        class data:
            class DataLoader:
                def __iter__(self): pass
            class dataloader:
                class _BaseDataLoaderIter:
                    def __next__(self): return 0
            class _utils:
                class worker:
                    _worker_loop = print
    from torch import optim
"""
FAKE_OPTIMIZER = """
    hooks = []
    register_optimizer_step_post_hook = hooks.append
    class Optimizer:
        def step(self):
            for hook in hooks:
                hook(self, (), {})
"""


class Versus(ProcessesTest):
    def versus(self, *words, **more):
        return subprocess.run([PROGRAM, "versus", *map(str, words)], text=True, capture_output=True, timeout=300,
                              cwd=self.folder, env=self.environment(), **more)

    def printed(self, *commands):
        return self.versus(*PRINTED, *commands)

    def rows(self):
        return self.block()["pairs"]

    def script(self, name, text):
        (self.folder / name).write_text(textwrap.dedent(text))
        return name

    def assert_says(self, done, code, *sentences):
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, said)
        for sentence in sentences:
            self.assertIn(sentence, re.sub(r"\s+", " ", said))

    # What is compared.

    def test_a_printed_number_is_compared_and_less_is_better(self):
        self.assert_says(self.printed(TEN, TWENTY), 0, "+100 % [+100, +100] worse", "3 rounds of fresh processes")
        self.assert_says(self.printed(TWENTY, TEN), 0, "-50.0 % [-50.0, -50.0] better")

    def test_more_is_better_of_a_rate(self):
        self.assert_says(self.printed(TEN, TWENTY, "--more-is-better"), 0, "+100 % [+100, +100] better")
        self.assert_says(self.printed(TWENTY, TEN, "--more-is-better"), 0, "-50.0 % [-50.0, -50.0] worse")

    def test_all_who_read_the_file_show_a_rate_as_it_was_printed(self):
        files = [self.folder / "slow.json", self.folder / "fast.json"]
        for command, file in zip((TEN, TWENTY), files):
            self.assert_says(self.printed(TEN, command, "--more-is-better", "--name", "base", "--name", "head", "--seed", "1",
                                          "--json", file), 0)
        for words, sentence in [(["compare", *files], "10 20"),
                                (["report", files[1], "--markdown"], r"+100 % \[+100, +100\] | better"),
                                (["export", "csv", files[1]], ",,,2,2,2,3,10,20,"),
                                (["export", "markdown", files[1]], r"+100 % \[+100, +100\] | better"),
                                (["export", "gha", files[1]], '"value": 0.05')]:
            with self.subTest(words=words):
                done = subprocess.run([PROGRAM, *map(str, words)], text=True, capture_output=True, timeout=60)
                self.assert_says(done, done.returncode, sentence)

    def test_numbers_of_any_size_are_kept(self):
        for base, head, *more in [("6.0e11", "6.6e11", "--more-is-better"), ("1.4e-12", "1.54e-12"), ("1e300", "1.1e300", "--more-is-better")]:
            with self.subTest(base=base):
                self.assert_says(self.printed(f"echo value {base}", f"echo value {head}", *more, "--json", self.file), 0, "+10.0 %")
                both = subprocess.run([PROGRAM, "export", "csv", self.file], text=True, capture_output=True, timeout=60)
                cells = both.stdout.splitlines()[1].split(",")
                self.assertEqual([float(cell) for cell in cells[-3:-1]], [float(base), float(head)])

    def test_each_export_has_what_was_compared(self):
        self.assert_says(self.printed(TEN, TWENTY, "--json", self.file), 0)
        def export(name):
            return subprocess.run([PROGRAM, "export", name, self.file], text=True, capture_output=True, timeout=60).stdout
        self.assertIn(",,,2,2,2,3,10,20,", export("csv"))
        self.assertIsNotNone(xml.etree.ElementTree.fromstring(export("junit").encode()).find(".//failure"))  # it is slower
        self.assertEqual([one["value"] for one in json.loads(export("gha"))], [10, 20])
        self.assertEqual([one["printed"]["value"] for one in json.loads(export("bmf")).values()], [10, 20])

    def test_a_row_has_one_number_wherever_it_is_shown(self):
        # What one run prints has no part in the next one's, so medians and the median of ratios differ.
        odd = "echo x >> n; n=$(wc -l < n); echo value $(( n * n % 97 + 1000 ))"
        junit = self.folder / "r.xml"
        self.printed(odd, odd, "--seed", "1", "--name", "base", "--name", "head", "--json", self.file, "--junit", junit)
        def said(*words):
            return subprocess.run([PROGRAM, *map(str, words)], text=True, capture_output=True, timeout=60).stdout
        def near(number):
            return f"{number:.6g}"
        number = near(float(said("export", "csv", self.file).splitlines()[1].split(",")[-2]))
        self.assertEqual(near(json.loads(said("export", "gha", self.file))[1]["value"]), number)
        bmf = json.loads(said("export", "bmf", self.file))
        self.assertEqual(near(bmf["versus/printed/command:head/variant:optimized"]["printed"]["value"]), number)
        properties = {one.get("name"): one.get("value") for one in xml.etree.ElementTree.parse(junit).getroot().iter("property")}
        self.assertEqual(properties["this command"], number)
        other = self.folder / "other.json"
        block = json.loads(self.file.read_text())
        result = block["tuneproof"]["pairs"][0]["result"]
        for figure in ("naive_ns", "optimized_ns"):
            result[figure] *= 2
        block["tuneproof"]["session"]["id"] = "other"
        other.write_text(json.dumps(block))
        self.assertRegex(said("compare", other, self.file), rf" {float(number):.0f} ")

    def test_each_row_has_a_name_of_its_own_whatever_names_are_given(self):
        names = [word for name in ("base", "a (4)", "a", "a") for word in ("--name", name)]
        self.assert_says(self.printed(TEN, TEN, TEN, TEN, *names, "--json", self.file), 0, "within 3 %")
        self.assertEqual(len({row["id"] for row in self.rows()}), 3)

    def test_equal_commands_lie_within_the_margin(self):
        self.assert_says(self.printed(TEN, TEN), 0, "within 3 %")
        self.assert_says(self.printed(TEN, TEN, "--delta", "1%"), 0, "within 1 %")

    def test_each_further_command_is_compared_with_the_first(self):
        done = self.printed(TEN, TWENTY, "echo value 5", "--name", "ten", "--name", "twenty")
        self.assert_says(done, 0, "ten 10", "twenty 20 +100 %", "echo value 5 5 -50.0 %")

    def test_of_three_commands_what_is_near_the_margin_is_decided_after_11_rounds(self):
        # 8 to 9 % is too little for the looks before, and processes tell nothing where one command scatters far more; 10 rounds
        # have no interval at half of the error.
        self.assert_says(self.printed(TEN, "echo value 10.8$(date +%N)", TEN), 0, "worse", "3 to 11 rounds of fresh")

    def test_a_parameter_makes_a_command_several(self):
        done = self.printed("echo value {n}0", "--parameter", "n", "1,2,3", "--json", self.file)
        self.assert_says(done, 0, "echo value 20 20 +100 %", "echo value 30 30 +200 %")
        self.assertEqual([row["id"] for row in self.rows()],
                         ["versus/printed/command:echo value 20", "versus/printed/command:echo value 30"])

    def test_the_last_line_that_has_the_number_counts_and_a_carriage_return_ends_a_line(self):
        self.assert_says(self.printed(r"printf 'value 3\rvalue 10\rend\n'", TEN), 0, "within 3 %")

    def test_cpu_time_wall_time_and_peak_memory_are_compared(self):
        for metric, heading in [("wall", "WALL TIME"), ("cpu", "CPU TIME"), ("memory", "PEAK MEMORY")]:
            with self.subTest(metric):
                big = shlex.quote(sys.executable) + " -c 'x = bytearray(1 << 26); x[::4096] = bytes(1 << 14)'"
                done = self.versus(big, big, "--metric", metric, "--budget", "1s", "--json", self.file)
                self.assert_says(done, 0, heading)
                self.assertEqual(self.rows()[0]["step"], f"versus/{metric}")

    def test_memory_below_our_own_cannot_be_seen(self):
        self.assert_says(self.versus("true", "true", "--metric", "memory"), 1, "it takes less memory than tuneproof itself")

    def test_the_steps_of_a_training_are_timed_without_its_start(self):
        (self.folder / "torch").mkdir()
        self.script("torch/__init__.py", FAKE_TORCH)
        (self.folder / "torch/optim").mkdir()
        self.script("torch/optim/__init__.py", "from torch.optim import optimizer\n")
        self.script("torch/optim/optimizer.py", FAKE_OPTIMIZER)
        self.script("train.py", """
            import sys
            import torch.optim.optimizer as optimizer
            steps, one = int(sys.argv[1]), optimizer.Optimizer()
            for _ in range(steps):
                one.step()
            print("whole", flush=True)
        """)
        train = f"{shlex.quote(sys.executable)} train.py"
        done = self.versus(f"{train} 200", f"{train} 200", "--metric", "step", "--budget", "1s", "--json", self.file)
        self.assert_says(done, 0, "A STEP")
        self.assertLess(self.rows()[0]["figures"][0]["naive"], 0.01)  # a step does nothing; the start of Python is not in it
        cut = self.versus(f"{train} 1000000000", f"{train} 1000000000", "--metric", "step", "--steps", "100", "--budget", "1s")
        self.assert_says(cut, 0, "A STEP")
        warm_up = f"echo x >> n; test $(wc -l < n) -le 2 && {train} 1000000000"  # each round fails
        told = self.versus(warm_up, warm_up, "--metric", "step", "--steps", "100")
        self.assert_says(told, 1, "tuneproof: of a run's ", "makes half of a run steps, if the training has so many")
        none = self.versus("true", "true", "--metric", "step")
        self.assert_says(none, 1, "no step of a training was seen")
        self.assert_nothing_but(["torch", "train.py", "r.json", "tmp", "cache", "n"])

    def assert_nothing_but(self, names):
        self.assertLessEqual({path.name for path in self.folder.iterdir()}, set(names))
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertEqual(descendants(os.getpid()), set())

    # Gates.

    def test_a_gate_fails_what_is_slower_than_its_margin(self):
        junit = self.folder / "r.xml"
        self.assert_says(self.printed(TEN, TWENTY, "--fail-above", "3%", "--junit", junit), 2, "FAILED: 1 row worse")
        case = xml.etree.ElementTree.parse(junit).getroot().find(".//testcase")
        self.assertIsNotNone(case.find("failure"))
        self.assertEqual(case.get("name"), TWENTY)
        names = {one.get("name") for one in case.iter("property")}
        self.assertLessEqual({"first command", "this command"}, names)  # a number that was printed has no unit
        self.assert_says(self.printed(TEN, "echo value 10.1", "--fail-above", "3%"), 0, "PASSED: 1 row compared")
        self.assert_says(self.printed(TEN, "echo value 10.1", "--fail-above", "0.5 %"), 2, "FAILED")
        self.assert_says(self.printed(TWENTY, TEN, "--fail-above", "3%"), 0, "PASSED")

    def test_a_margin_may_lie_above_100_percent(self):
        self.assert_says(self.printed(TEN, "echo value 24", "--fail-above", "150%", "--json", self.file), 0, "within 150 %")
        self.assert_says(self.printed(TEN, "echo value 26", "--fail-above", "150%"), 2, "FAILED: 1 row worse")
        both = subprocess.run([PROGRAM, "compare", self.file, self.file], text=True, capture_output=True, timeout=60)
        self.assertEqual(both.returncode, 0, both.stdout + both.stderr)

    def test_a_gate_that_cannot_decide_does_not_pass(self):
        # Squares modulo a prime have no period of a few runs: how many of them a round takes depends on the machine.
        odd = "echo x >> n; n=$(wc -l < n); echo value $(( n * n % 97 + 1 ))"
        page, junit = self.folder / "r.md", self.folder / "r.xml"
        done = self.printed(odd, odd, "--fail-above", "3%", "--seed", "1", "--markdown", page, "--junit", junit, "--annotations")
        self.assert_says(done, 4, "NOT DECIDED")
        self.assertIsNotNone(xml.etree.ElementTree.parse(junit).getroot().find(".//error"))
        self.assertIn("::error", done.stderr)
        self.assertRegex(page.read_text(), r"\n\*\*NOT DECIDED: (the only row is undecided|1 row maybe worse)\*\*\n$")

    def test_a_gate_that_ends_early_leaves_a_red_report_that_says_why(self):
        junit = self.folder / "r.xml"
        for words, code, sentence in [(["no-such-program", "true", "--shell", "none"], 1, "no-such-program: cannot be started"),
                                      (["true", "true", "--setup", "exit 5"], 1, '--setup "exit 5": it exited with 5'),
                                      (["true", "true", "--prepare", "exit 5"], 1, '--prepare "exit 5": it exited with 5'),
                                      ([*PRINTED, TEN, TEN, "--cleanup", "exit 5"], 1, '--cleanup "exit 5": it exited with 5'),
                                      (["true", "true", "--json", "/no/r.json"], 1, "/no"),
                                      (["true", "true", "--fail-above", "much"], 1, "--fail-above"),
                                      (["--resume", "none.json"], 1, "none.json"),
                                      ([*PRINTED, TEN, TEN, "--markdown", "/dev/full"], 1, "/dev/full: is not a regular file")]:
            with self.subTest(words=words):
                junit.write_text("<testsuites/>")  # of an earlier job
                done = self.versus(*words, "--junit", junit)
                self.assert_says(done, code, sentence)
                self.assertNotIn("PASSED", done.stdout)
                error = xml.etree.ElementTree.parse(junit).getroot().find(".//error")
                self.assertIn(sentence, error.get("message"))

    def test_a_gate_that_is_killed_leaves_a_red_report(self):
        junit, page = self.folder / "r.xml", self.folder / "r.md"
        for number in (signal.SIGKILL, signal.SIGUSR1):
            with self.subTest(signal=number):
                junit.write_text("<testsuites/>")  # of an earlier job
                started = subprocess.Popen([PROGRAM, "versus", *PRINTED, "touch begun; until test -e go; do sleep 0.01; done", TEN,
                                            "--junit", junit, "--markdown", page], cwd=self.folder, env=self.environment(),
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.wait_for("begun")
                started.send_signal(number)
                started.wait(60)
                (self.folder / "begun").unlink()
                (self.folder / "go").touch()  # what a killed one has started goes on to its own end
                reap_orphans()
                (self.folder / "go").unlink()
                for file in (junit, page):
                    self.assertIn("FAILED: it has not ended", file.read_text())

    def test_the_next_start_removes_what_a_killed_one_has_left(self):
        started = subprocess.Popen([PROGRAM, "versus", "--metric", "step", "touch begun; until test -e go; do sleep 0.01; done", "true"],
                                   cwd=self.folder, env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for("begun")
        started.kill()
        started.wait(60)
        (self.folder / "go").touch()
        reap_orphans()
        left, = self.temporary.iterdir()
        os.utime(left, (0, 0))  # a young one may have an owner that is about to lock it
        self.assert_says(self.versus("--metric", "step", "true", "true"), 1, "no step of a training was seen")
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_a_report_that_a_command_has_written_does_not_pass_for_ours(self):
        junit, page = self.folder / "r.xml", self.folder / "r.md"
        for file, option in ((junit, "--junit"), (page, "--markdown")):
            with self.subTest(option):
                done = self.printed(TEN, f"echo '<testsuites/>' > {file}; {TEN}", "--junit", junit, "--markdown", page)
                sentence = f"{file}: a program wrote it meanwhile"
                self.assert_says(done, 1, sentence)
                self.assertIn(sentence, xml.etree.ElementTree.parse(junit).getroot().find(".//error").get("message"))
                self.assertIn("FAILED: ", page.read_text())

    def test_a_table_that_nobody_can_read_is_no_green_report(self):
        junit = self.folder / "r.xml"
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "versus", *PRINTED, TEN, TEN, "--junit", junit], stdout=full, stderr=subprocess.PIPE,
                                  text=True, cwd=self.folder, env=self.environment(), timeout=300)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("FAILED: the output could not be written", junit.read_text())

    def test_a_table_that_nobody_can_read_is_no_success_without_a_gate_either(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "versus", *PRINTED, TEN, TEN], stdout=full, stderr=subprocess.PIPE, text=True,
                                  cwd=self.folder, env=self.environment(), timeout=300)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("tuneproof: the output could not be written\n"), 1, done.stderr)

    def test_who_reads_no_further_changes_neither_report_nor_exit_code(self):
        junit = self.folder / "r.xml"
        script = '"$@" | head -n 1; echo "${PIPESTATUS[0]}"'
        done = subprocess.run(["bash", "-c", script, "bash", PROGRAM, "versus", *PRINTED, TEN, TEN, "--junit", junit],
                              text=True, capture_output=True, cwd=self.folder, env=self.environment(), timeout=300)
        heading, code = done.stdout.splitlines()
        self.assertIn("COMMAND", heading)
        self.assertEqual((code, done.stderr.count("could not be written")), ("0", 0), done.stderr)
        self.assertIn('errors="0"', junit.read_text())

    def test_a_table_that_nobody_reads_ends_a_comparison_of_which_nothing_else_was_asked_quietly(self):
        reading, writing = os.pipe()
        os.close(reading)
        for more, code in (([], 141), (["--json", self.file], 0), (["--fail-above", "3%"], 0)):
            with self.subTest(more=more):
                done = subprocess.run([PROGRAM, "versus", *PRINTED, TEN, TEN, *more], stdout=writing, stderr=subprocess.PIPE,
                                      text=True, cwd=self.folder, env=self.environment(), timeout=300)
                self.assertEqual((done.returncode, done.stderr.count("could not be written")), (code, 0), done.stderr)
        os.close(writing)

    def test_a_value_that_a_script_left_empty_leaves_a_red_report(self):
        junit = self.folder / "r.xml"
        for words, sentence in [(["--fail-above", ""], "--fail-above is empty"), (["--warmup", "x"], "--warmup"),
                                (["--no-such-option"], "--no-such-option")]:
            with self.subTest(words=words):
                junit.write_text("<testsuites/>")  # of an earlier job
                self.assert_says(self.versus("true", "true", *words, "--junit", junit), 1, sentence)
                self.assertIn(sentence, xml.etree.ElementTree.parse(junit).getroot().find(".//error").get("message"))
        other = self.folder / "data"
        other.write_text("kept")
        self.versus("true", "cat " + str(other), "--warmup", "x", "--junit", other)
        self.assertEqual(other.read_text(), "kept")  # it is named elsewhere, too

    def test_rounds_that_did_not_tell_were_not_stopped(self):
        odd = "echo x >> n; n=$(wc -l < n); echo value $(( n * n % 97 + 1 ))"
        done = self.printed(odd, odd, "--seed", "1", "--json", self.file)
        self.assertNotIn("stopped early", done.stdout)

    def test_a_gate_that_is_stopped_leaves_a_red_report(self):
        junit = self.folder / "r.xml"
        started = subprocess.Popen([PROGRAM, "versus", *PRINTED, "touch begun; " + TEN, "test ! -e begun || sleep 1000; " + TEN,
                                    "--junit", junit], text=True, cwd=self.folder, env=self.environment(), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.wait_for("begun")
        started.send_signal(signal.SIGTERM)
        out, said = started.communicate(timeout=60)
        self.assertEqual(started.returncode, 143, said)
        self.assertIn("NOT DECIDED: stopped by a signal", out)
        self.assertIn("NOT DECIDED: stopped by a signal", junit.read_text())
        self.assertIn('errors="2"', junit.read_text())  # the row that is open, and the conclusion

    def test_a_report_needs_a_file_of_its_own(self):
        for option in ("--junit", "--markdown"):
            self.assert_says(self.printed(TEN, TEN, option, "-"), 1, "-: what is written here needs a file; give its name")
        self.assertFalse((self.folder / "-").exists())

    def test_outputs_are_compared_first(self):
        words = ["--same-output", r"loss=(\S+)"]
        self.assert_says(self.printed(TEN + " loss=1", TEN + " loss=1", *words), 0, "within 3 %")
        self.assert_says(self.printed(TEN + " loss=1", TEN + " loss=2", *words), 1, 'the outputs differ: "1" in the first')
        self.assert_says(self.printed(TEN + " loss=1", TEN + " loss=1.01", *words, "--within", "2%"), 0, "within 3 %")
        self.assert_says(self.printed(TEN + " loss=1", TEN + " loss=0.5", *words, "--within", "2%"), 0, "within 3 %")
        self.assert_says(self.printed(TEN + " loss=1", TEN + " loss=1.03", *words, "--within", "2%"), 1,
                         "1.03 is more than 2 % above the 1 of the first command")

    def test_to_look_for_the_output_takes_no_part_in_the_time(self):
        once = "test -e {0} || echo loss=1; touch {0}"  # says it in its first run, which is not timed
        done = self.versus(once.format("a"), once.format("b"), "--same-output", r"loss=(\S+)", "--budget", "1s")
        self.assert_says(done, 0, "WALL TIME")

    def test_another_program_reads_the_file(self):
        self.printed(TEN, TWENTY, "--json", self.file, "--commit", "abc")
        self.assertEqual(self.block()["session"]["git"]["head"], "abc")
        page = subprocess.run([PROGRAM, "report", self.file, "--markdown"], text=True, capture_output=True, timeout=60)
        self.assertEqual(page.returncode, 0, page.stderr)
        self.assertIn("echo value 20", page.stdout)
        both = subprocess.run([PROGRAM, "compare", self.file, self.file], text=True, capture_output=True, timeout=60)
        self.assertEqual(both.returncode, 0, both.stdout + both.stderr)

    def test_files_of_given_names_are_compared_although_the_commands_differ(self):
        names = ["--name", "base", "--name", "head"]
        nights = [self.folder / f"{night}.json" for night in ("monday", "tuesday")]
        gate = ["--seed", "7", "--junit", self.folder / "r.xml"]  # neither changes what is measured
        for night, path, more in zip(nights, ("echo /a", "echo /b"), ([], gate)):
            self.assert_says(self.printed(TEN, f"{path}; {TEN}", *names, "--json", night, *more), 0)
        compared = subprocess.run([PROGRAM, "compare", *nights, "--markdown", self.folder / "r.md"], text=True,
                                  capture_output=True, timeout=60)
        self.assertNotEqual(compared.returncode, 3, compared.stderr)
        self.assertIn("command of head differs: echo /a; echo value 10 -> echo /b; echo value 10", compared.stdout)
        self.assertNotIn("counts are not compared", compared.stdout)
        self.assert_says(self.printed(TEN, TWENTY, "--json", nights[1]), 0)
        other = subprocess.run([PROGRAM, "compare", *nights], text=True, capture_output=True, timeout=60)
        self.assertEqual(other.returncode, 3, other.stdout)

    def test_a_list_of_commands_may_lose_one(self):
        longer, shorter = (self.folder / f"{name}.json" for name in ("longer", "shorter"))
        self.assert_says(self.printed(TEN, TWENTY, "echo value 30", "--json", longer), 0)
        self.assert_says(self.printed(TEN, "echo value 30", "--json", shorter), 0)
        for words, code, said in [([longer, shorter], 4, "1 row missing"), ([longer, shorter, "--allow-missing"], 0, "PASSED"),
                                  ([shorter, longer], 0, "echo value 20")]:
            compared = subprocess.run([PROGRAM, "compare", *words], text=True, capture_output=True, timeout=60)
            self.assert_says(compared, code, said)

    def test_Markdown_and_JUnit_say_what_was_measured(self):
        junit, page = self.folder / "r.xml", self.folder / "r.md"
        self.versus("true", "true", "--budget", "1s", "--junit", junit, "--markdown", page)
        names = {one.get("name") for one in xml.etree.ElementTree.parse(junit).getroot().iter("property")}
        self.assertLessEqual({"first command (s)", "this command (s)"}, names)
        self.assertRegex(page.read_text(), r"\| row \| before \| after \| change \|[^\n]*\n[^\n]*\n\| true[^|]*\| [\d.]+ \w+ \| [\d.]+ \w+ \|")

    # What goes wrong.

    def test_a_command_that_fails_is_named_with_its_last_line(self):
        self.assert_says(self.printed(TEN, "echo oh no >&2; exit 3"), 1, "it exited with 3; it said: oh no")
        self.assert_says(self.printed("exit 3", TEN), 1, "the first command: it exited with 3")
        self.assert_says(self.printed(TEN, "kill -SEGV $$"), 1, "was killed by signal 11")
        self.assert_says(self.printed(TEN, "echo value 20; exit 3", "--ignore-failure"), 0, "+100 %")

    def test_a_missing_program_is_one_sentence(self):
        self.assert_says(self.versus("no-such-program", "true"), 1, "no-such-program: not found")
        self.assert_says(self.versus("no-such-program", "true", "--shell", "none"), 1,
                         "no-such-program: cannot be started: No such file or directory")
        self.assert_says(self.versus("true", "true", "--shell", "no-shell"), 1, "no-shell: cannot be started")

    def test_what_did_not_run_to_its_end_is_no_fast_command_whatever_may_fail(self):
        for words, sentence in [(["true", "no-such-program"], "it exited with 127; it said: "), (["true", self.temporary], "it exited with 126"),
                                (["true", "kill -SEGV $$"], "was killed by signal 11"), (["true", "sh -c 'kill -SEGV $$'; exit $?"], "it exited with 139"),
                                (["no-such-program", "true"], "the first command: it exited with 127"),
                                (["true", "env no-such-program", "--shell", "none"], "it exited with 127")]:
            with self.subTest(words=words):
                self.assert_says(self.versus(*words, "--ignore-failure", "--fail-above", "3%"), 1, sentence, "FAILED: 1 row failed")

    def test_what_asks_the_terminal_fails_at_once(self):
        for command in ("read answer < /dev/tty", "stty -echo < /dev/tty"):
            with self.subTest(command):
                ours, theirs = pty.openpty()
                self.addCleanup(os.close, ours)
                script = "import fcntl, os, sys, termios; fcntl.ioctl(int(sys.argv[1]), termios.TIOCSCTTY, 0); os.execv(sys.argv[2], sys.argv[2:])"
                done = subprocess.run([sys.executable, "-c", script, str(theirs), str(PROGRAM), "versus", *PRINTED, TEN, f"{command}; {TEN}",
                                       "--timeout", "30s"], text=True, capture_output=True, timeout=300, cwd=self.folder,
                                      env=self.environment(), start_new_session=True, pass_fds=[theirs])
                os.close(theirs)
                self.assert_says(done, 1, "it asked the terminal for input, which nobody answers here")

    def test_no_shell_reads_the_words_of_a_command(self):
        words = ["--shell", "none"]
        self.assert_says(self.printed("echo 'value 10'", "printf '%s 2%s' value 0", *words), 0, "+100 %")
        self.assert_says(self.printed("echo value 10 > file", TEN, *words), 1, "needs a shell")

    def test_a_command_that_hangs_is_ended_with_all_that_it_has_started(self):
        done = self.printed(TEN, "sleep 1000 & setsid sleep 1000 & sleep 1000", "--timeout", "1s")
        self.assert_says(done, 1, "it took longer than 1s (--timeout)")
        self.assert_nothing_is_left()

    def test_a_command_that_hangs_does_not_outlast_the_budget_and_could_not_be_measured(self):
        junit = self.folder / "r.xml"
        had_not = "it had not ended when --budget was over: a larger --budget waits longer, and --timeout ends what hangs"
        done = self.versus("sleep 1000", "sleep 1000", "--budget", "1s", "--cleanup", "sleep 0.5; touch cleaned")
        self.assert_says(done, 1, "failed the first command: " + had_not)
        self.assertTrue((self.folder / "cleaned").exists())
        done = self.versus("true", "sleep 1000", "--budget", "1s", "--fail-above", "3%", "--junit", junit)
        self.assert_says(done, 1, "failed " + had_not, "FAILED: 1 row failed")
        self.assertIn(had_not, xml.etree.ElementTree.parse(junit).getroot().find(".//error").get("message"))

    def test_where_the_first_command_hangs_each_row_says_so(self):
        done = self.versus("sleep 1000", "true", "true", "--budget", "1s", "--fail-above", "3%")
        self.assert_says(done, 1, "FAILED: 2 rows failed")

    def test_a_gate_does_not_pass_rows_that_the_budget_left_without_rounds(self):
        junit = self.folder / "r.xml"
        done = self.printed(TEN, TEN, TWENTY, "--budget", "0.001s", "--fail-above", "3%", "--junit", junit)
        self.assert_says(done, 4, "NOT DECIDED: 2 rows short of rounds")
        self.assertEqual(len(xml.etree.ElementTree.parse(junit).getroot().findall(".//error")), 2)

    def test_no_expression_takes_for_ever_or_all_of_the_stack(self):
        line = "echo " + "v" * 4000 + " 10"
        for expression in r"(?:.*)* (\S+)z", r"(?:(?:.|x)*) (\S+)":
            done = self.versus("--metric-from", expression, line, line, "--warmup", "1", preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_STACK, (256 << 10, 256 << 10)))
            self.assertIn(done.returncode, (0, 1), done.stderr)

    def test_what_a_training_writes_where_its_steps_are_noted_is_no_end(self):
        for act in ("echo '{\"what\": 5}' > $1/notes/x", "echo '{\"what\": \"step_times\", \"steps\": \"x\"}' > $1/notes/x",
                    "rm -r $1/notes", "mkdir $1/notes/x", "mkfifo $1/notes/x", "rm -r $1"):
            with self.subTest(act):
                self.script("act.sh", "for d in $(echo $PYTHONPATH | tr : ' '); do\n"
                                      "  for p in $d $d/..; do [ -d $p/notes ] && set -- $p; done\ndone\n[ -n \"$1\" ] || exit 3\n" + act + "\n")
                done = self.versus("sh act.sh", "sh act.sh", "--metric", "step")
                self.assert_says(done, 1, "no step of a training was seen in it")
                self.assert_says(done, 1, "set it before tuneproof")

    def test_what_a_command_leaves_running_is_ended(self):
        self.assert_says(self.printed(TEN, TEN + "; setsid sleep 1000 & sleep 1000 &"), 0, "within 3 %")
        self.assert_nothing_is_left()

    def test_a_command_may_print_what_it_likes(self):
        flood = "head -c 5M /dev/zero; yes | head -c 5M; "
        self.assert_says(self.printed(flood + TEN, TEN, "--budget", "1s", "--json", self.file), 0)
        self.assert_says(self.versus(flood + "true", "true", "--budget", "1s"), 0)
        self.assertLess(self.file.stat().st_size, 1 << 20)

    def test_standard_input_is_empty_or_a_file(self):
        count = "echo value $(( $(wc -c) + 1 ))"
        (self.folder / "input").write_text("123456789")
        self.assert_says(self.printed(count, "echo value 1"), 0, "within 3 %")
        self.assert_says(self.printed(count, TEN, "--input", "input"), 0, "within 3 %")
        self.assert_says(self.printed(count, TEN, "--input", "none"), 1, "--input none: No such file or directory")
        self.assert_says(self.printed(count, TEN, "--input", "."), 1, "--input .: is a folder; name a file")
        os.mkfifo(self.folder / "pipe")
        self.assert_says(self.printed(count, TEN, "--input", "pipe"), 1, "--input pipe: a pipe can be read only once; name a file")

    def test_a_gigabyte_without_the_number_is_told_at_once(self):
        done = self.printed("yes | head -c 1G", TEN, "--budget", "100s")
        self.assert_says(done, 1, "the first command: no line that it printed has a number for --metric-from")
        self.assert_says(self.printed("yes | head -c 300M; echo value 10", TEN, "--budget", "1s"), 0)

    def test_a_command_that_prints_no_number_fails(self):
        self.assert_says(self.printed(TEN, "echo value much"), 1, "has a number for --metric-from")
        self.assert_says(self.printed(TEN, "echo value 0"), 1, "its metric is not above 0")
        self.assert_says(self.printed("echo value 1e308", "echo value 1e-320"), 1, "too far apart for a ratio")

    def test_a_sign_may_stand_before_a_number(self):
        self.assert_says(self.printed("echo value +10", TWENTY), 0, "+100 %")

    def test_what_no_results_file_can_hold_is_told_before_anything_runs(self):
        for words, sentence in [(["touch ran", "true", "--name", "a\udcff"], "is not UTF-8"),
                                (["touch ran", "true", "--commit", "x" * 2000], "--commit: has 2000 bytes"),
                                (["touch ran", "true #" + "x" * 17000], "the name of command 2 has 17006 bytes")]:
            self.assert_says(self.versus(*words), 1, sentence)
        self.assertFalse((self.folder / "ran").exists())
        self.assert_says(self.printed(TEN, TEN + " #" + "x" * 17000, "--name", "a", "--name", "b", "--json", self.file), 0, "within 3 %")
        both = subprocess.run([PROGRAM, "compare", self.file, self.file], text=True, capture_output=True, timeout=60)
        self.assertEqual(both.returncode, 0, both.stderr)

    def test_wrong_arguments_are_one_sentence(self):
        self.file.touch()
        for words, sentence in [(["true"], "versus takes 2 to 100 commands, and 1 was given"),
                                ([], "versus takes 2 to 100 commands, and 0 were given"),
                                (["true", " "], "command 2 is empty"),
                                (["true", "true", "--metric", "speed"], "--metric 'speed': expected wall, cpu"),
                                (["true", "true", "--metric", "printed"], "--metric 'printed': expected wall, cpu"),
                                (["true", "true", "--metric-from", "("], "is not a regular expression"),
                                (["true", "true", "--metric-from", r"(\d+) (\d+)"], 'has 2 groups, and the value is that of one'),
                                (["true", "true", "--same-output", r"(\d+) (\d+)"], 'has 2 groups, and the value is that of one'),
                                (["true", "true", "--more-is-better"], "--more-is-better is for a number"),
                                (["true", "true", "--within", "2%"], "--within is for a number that --same-output finds"),
                                (["true", "true", "--steps", "5"], "--steps is for --metric step"),
                                (["true", "true", "--delta", "0"], "--delta '0': expected a percentage"),
                                (["true", "true", "--fail-above", "1001%"], "expected a percentage above 0 and at most 1000"),
                                (["true", "true", "--delta", "1", "--fail-above", "1"], "both set the margin"),
                                (["true", "true", "--parameter", "n", "1,2"], "no command has {n} in it"),
                                (["true", "true", "--parameter", "n"], "--parameter n: expected a name and values"),
                                (["true", "--name", "a", "--name", "b"], "--name: 2 names, but 1 command was given"),
                                (["true", "true", "--json", "/no/r.json"], "/no"),
                                (["cat", "cat", "--input", "r.json", "--junit", "r.json"], 'versus: --junit r.json would overwrite'),
                                (["--resume", "r.json.gz"], "r.json.gz: cannot resume a packed file"),
                                (["--resume", "none.json"], "none.json: ")]:
            with self.subTest(words=words):
                done = self.versus(*words)
                self.assert_says(done, 1, sentence)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assert_nothing_is_left()

    def test_an_empty_value_is_not_taken_for_an_option_left_out(self):
        for option in ("metric", "metric-from", "same-output", "keep", "within", "setup", "prepare", "cleanup", "shell", "input", "timeout",
                       "budget", "delta", "json", "seed", "commit", "name", "fail-above", "junit", "markdown", "resume"):
            for words in ([f"--{option}", "", "true", "true"], [f"--{option}=", "true", "true", "true"]):
                with self.subTest(words=words):
                    done = self.versus(*words)
                    self.assert_says(done, 1, f"--{option}", "is empty; give it a value or leave it out")
                    self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for words in (["tune", "echo {n:1,2}", "--keep", ""], ["compare", "a", "b", "--junit", ""], ["run", "--json", "", "sync/*"],
                      ["history", "check", "--db", ""], ["report", "a", "-o", ""]):
            with self.subTest(words=words):
                done = subprocess.run([PROGRAM, *words], text=True, capture_output=True, timeout=60, cwd=self.folder)
                self.assert_says(done, 1, "is empty; give it a value or leave it out")
        self.assert_says(self.printed(TEN + " # --junit=", TEN, "--prepare", "echo --junit="), 0, "within 3 %")
        self.assert_nothing_is_left()

    # Hooks, and going on.

    def test_hooks_run_when_they_should(self):
        hooks = [word for name in ["setup", "prepare", "cleanup"] for word in (f"--{name}", f"echo {name} >> hooks")]
        self.assert_says(self.printed(TEN + "; echo run >> hooks", TWENTY, *hooks), 0, "+100 %")
        lines = (self.folder / "hooks").read_text().split()
        self.assertEqual(lines[:3], ["setup", "prepare", "run"])
        self.assertEqual((lines.count("setup"), lines.count("cleanup"), lines[-1]), (1, 1, "cleanup"))
        self.assertGreaterEqual(lines.count("prepare"), 2 * lines.count("run"))
        self.assert_says(self.printed(TEN, TEN, "--prepare", "exit 7"), 1, '--prepare "exit 7": it exited with 7')

    # It takes longer than a process that is ended at once has, and its first line comes before its last.
    NOTED = ["--cleanup", "echo cleanup >> hooks; sleep 0.3; echo gone >> hooks"]

    def assert_cleaned_up(self, *before):
        """Once, at the end, and whole; what came before is said without its repetitions."""
        file = self.folder / "hooks"
        lines = file.read_text().split()
        file.unlink()
        self.assertEqual(tuple(dict.fromkeys(lines[:-2])), before)
        self.assertEqual(lines[-2:], ["cleanup", "gone"])
        self.assertEqual(lines.count("cleanup"), 1)

    def test_the_cleanup_runs_once_however_the_rounds_end(self):
        setup = ["--setup", "echo setup >> hooks"]
        run = "echo run >> hooks; "
        for words, code, sentence, before in (
                ([run + TEN, TWENTY, *setup], 0, "+100 %", ("setup", "run")),
                ([run + TEN, TWENTY, *setup, "--fail-above", "3%"], 2, "FAILED: 1 row worse", ("setup", "run")),
                ([run + TEN, "exit 3", *setup], 1, "it exited with 3", ("setup", "run")),
                ([run + "sleep 1000", TEN, *setup, "--timeout", "1s"], 1, "longer than 1s", ("setup", "run")),
                ([run + TEN, TEN, *setup, "--prepare", "echo prepare >> hooks; exit 7"], 1, "exited with 7", ("setup", "prepare")),
                ([run + TEN, TEN, *setup, "--input", "none"], 1, "--input none", ("setup",)),
                ([run + TEN, TEN, "--setup", "echo setup >> hooks; exit 7"], 1, "exited with 7", ("setup",)),
                ([run + TEN, TEN, "--setup", "echo setup >> hooks; sleep 1000", "--timeout", "1s"], 1, "longer than 1s", ("setup",))):
            with self.subTest(words):
                self.assert_says(self.printed(*words, *self.NOTED), code, sentence)
                self.assert_cleaned_up(*before)

    def assert_stops(self, number, *words):
        """Once it has touched `begun`; another signal comes before the cleanup has begun."""
        self.file.unlink(missing_ok=True)
        started = subprocess.Popen([PROGRAM, "versus", *words, *self.NOTED, "--json", self.file], cwd=self.folder,
                                   env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.wait_for("begun")
        for each in (signal.SIGSTOP, number, signal.SIGTERM, signal.SIGCONT):
            started.send_signal(each)
        (self.folder / "begun").unlink()
        _, said = started.communicate(timeout=60)
        self.assertEqual(started.returncode, 128 + number, said)
        self.assertEqual("--resume" in said, self.file.exists(), said)

    def test_the_cleanup_runs_once_after_signals(self):
        wait = "touch begun; sleep 1000"
        for words, before in ((["echo run >> hooks; " + wait, "true", "--setup", "echo setup >> hooks"], ("setup", "run")),
                              (["true", "true", "--setup", "echo setup >> hooks; " + wait], ("setup",)),
                              (["true", "true", "--prepare", "echo prepare >> hooks; " + wait], ("prepare",))):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest(words=words, signal=number):
                    self.assert_stops(number, *words)
                    self.assert_cleaned_up(*before)

    def stopped_while_it_cleans_up(self, *signals):
        """What it says and returns; before each signal but the first it has said what the next one does."""
        cleanup = "echo cleanup >> hooks; touch begun; until test -e go; do sleep 0.01; done; echo gone >> hooks"
        started = subprocess.Popen([PROGRAM, "versus", *PRINTED, TEN, TWENTY, "--cleanup", cleanup], text=True, cwd=self.folder,
                                   env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for("begun")
        for number in signals:
            started.send_signal(number)
            while number == signals[0] and "stops when --cleanup has ended; the next" not in (line := started.stderr.readline()):
                self.assertTrue(line, "it ended without a word")
        if len(signals) == 1:
            (self.folder / "go").touch()
        said = "".join(started.communicate(timeout=60))
        return subprocess.CompletedProcess([], started.returncode, said, "")

    def wait_for(self, name):
        end = time.monotonic() + 120
        while not (self.folder / name).exists() and time.monotonic() < end:
            time.sleep(0.01)

    def test_a_signal_that_comes_while_the_cleanup_runs_waits_for_its_end(self):
        self.assert_says(self.stopped_while_it_cleans_up(signal.SIGINT), 130, "+100 %", "stopped after")
        self.assert_cleaned_up()

    def test_a_second_one_ends_it(self):
        done = self.stopped_while_it_cleans_up(signal.SIGINT, signal.SIGTERM)
        self.assert_says(done, 130, "+100 %", "it was killed by signal 9")
        self.assertEqual((self.folder / "hooks").read_text(), "cleanup\n")

    def test_nohup_keeps_it_and_its_commands_beyond_the_terminal(self):
        started = subprocess.Popen([PROGRAM, "versus", *PRINTED, "touch begun; until test -e go; do sleep 0.01; done; kill -HUP $$; " + TEN,
                                    TWENTY], text=True, cwd=self.folder, env=self.environment(), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_for("begun")
        started.send_signal(signal.SIGHUP)
        (self.folder / "go").touch()
        out, said = started.communicate(timeout=300)
        self.assert_says(subprocess.CompletedProcess([], started.returncode, out, said), 0, "+100 %")

    def test_a_cleanup_that_fails_is_told_beside_the_results(self):
        done = self.printed(TEN, TWENTY, "--cleanup", "exit 7", "--fail-above", "3%", "--junit", "j.xml")
        self.assert_says(done, 2, '--cleanup "exit 7": it exited with 7', "+100 %", "FAILED: 1 row worse")
        self.assertTrue((self.folder / "j.xml").exists())
        self.assert_says(self.printed(TEN, TEN, "--cleanup", "exit 7"), 1, "within 3 %")

    def test_a_budget_without_room_for_a_verdict_is_told_after_the_warm_up(self):
        done = self.versus("true", "true", "--budget", "0.001s")
        self.assert_says(done, 0, "tuneproof: a round takes about", "the budget has room for none of the 3", "--budget ")
        self.assertNotIn("room for", self.printed(TEN, TWENTY, "--budget", "10m").stderr)

    def test_what_the_setup_has_started_is_there_for_the_runs(self):
        (self.folder / "pipe").touch()
        done = self.printed("kill -0 $(cat pipe) && echo value 10", TEN, "--setup", "sleep 1000 & echo $! > pipe",
                            "--cleanup", "kill $(cat pipe)")
        self.assert_says(done, 0, "within 3 %")

    def test_a_stopped_measurement_goes_on_from_its_file(self):
        slow = "test -e go || sleep 1000; echo value 20"
        (self.folder / "go").touch()
        command = [PROGRAM, "versus", *PRINTED, TEN + "; test -e resumed || test $(wc -l < n) -lt 9 || rm -f go; echo x >> n", slow,
                   "--setup", "echo setup >> hooks", *self.NOTED, "--json", self.file]
        (self.folder / "n").touch()
        started = subprocess.Popen(command, text=True, cwd=self.folder, env=self.environment(), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        end = time.monotonic() + 120
        while (self.folder / "go").exists() and time.monotonic() < end:
            time.sleep(0.01)
        started.send_signal(signal.SIGINT)
        _, said = started.communicate(timeout=60)
        self.assertEqual(started.returncode, 130, said)
        self.assertIn("tuneproof versus --resume", said)
        self.assert_cleaned_up("setup")
        before = len(self.rows()[0]["round_log_ratios"])
        (self.folder / "go").touch()
        (self.folder / "resumed").touch()
        self.assert_says(self.versus("--resume", self.file), 0, "+100 % [+100, +100] worse")
        self.assert_cleaned_up("setup")
        self.assertGreater(len(self.rows()[0]["round_log_ratios"]), before)
        for words in ([TEN], ["--metric", "cpu"], ["--fail-above", "50%"], ["--warmup", "2"], ["--more-is-better"]):
            with self.subTest(words=words):
                self.assert_says(self.versus("--resume", self.file, *words), 1, "--resume takes the commands")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[2:])
