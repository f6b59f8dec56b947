"""`tuneproof watch` from outside, as its users use it.

Usage: watch.test.py TUNEPROOF PROJECT [unittest arguments]
What needs PyTorch runs with the Python of the set-up; those tests are skipped where it has none.
"""

import contextlib
import glob
import gzip
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
DEPS = pathlib.Path(os.environ.get("TUNEPROOF_DEPS", PROJECT / ".deps"))
PYTHON = DEPS / "venv/bin/python"
HAS_TORCH = PYTHON.exists() and subprocess.run([PYTHON, "-c", "import torch"], capture_output=True).returncode == 0
LONG = 300
signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored, and shells could not trap it
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # likewise under nohup

# As much of torch as the recorder touches before a step is made: import, hooks and a loader.
FAKE_TORCH = {
    "torch/__init__.py": """
        __version__ = "9.9"
        class profiler:
            kineto_available = staticmethod(lambda: KINETO)
            class _KinetoProfile:
                def export_chrome_trace(self, path): pass
        class distributed:
            is_available = staticmethod(lambda: False)
        class autograd:
            backward = grad = staticmethod(lambda tensors: None)
            class profiler:
                class profile:
                    def __init__(self): pass
        class _C: pass
        from torch import optim, utils
        """,
    "torch/optim/__init__.py": """
        from torch.optim import optimizer
        class Optimizer:
            def step(self): pass
        """,
    "torch/optim/optimizer.py": """
        hooks = []
        register_optimizer_step_post_hook = hooks.append
        def step(optimizer):
            for hook in hooks:
                hook(optimizer, (), {})
        """,
    "torch/utils/__init__.py": """
        class data:
            class DataLoader:
                def __iter__(self): pass
            class dataloader:
                class _BaseDataLoaderIter:
                    def __next__(self): return 0
            class _utils:
                class worker:
                    _worker_loop = print
        """,
}


class Watch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof.")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text))
        return file

    def environment(self, **more):
        kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "PYTHONPATH")}
        return {**kept, "TMPDIR": str(self.folder / "tmp"), "OMP_NUM_THREADS": "1", **more}

    def start(self, *arguments, **more):
        (self.folder / "tmp").mkdir(exist_ok=True)
        return subprocess.Popen([PROGRAM, "watch", *map(str, arguments)], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment(**more))

    def call(self, *arguments, **more):
        with self.start(*arguments, **more) as process:
            out, err = process.communicate(timeout=LONG)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def traces(self, folder="traces"):
        return sorted(map(pathlib.Path, glob.glob(str(self.folder / folder / "*.pt.trace.json.gz"))))

    def steps(self, trace):
        with gzip.open(trace) as file:
            events = json.load(file)["traceEvents"]
        ranges = [event for event in events if event.get("cat") == "user_annotation"]
        steps = [event for event in ranges if event["name"].startswith("ProfilerStep#")]
        return sorted(int(event["name"].split("#")[1]) for event in steps), steps, ranges


class Program(Watch):
    """What the watched program is left: its words, its output, its signals, its exit code. None needs PyTorch."""

    def test_words_behind_the_dashes_reach_the_program_as_they_are(self):
        words = ["", "a b", "[1,2]", "--steps", "--", "'", "-h"]
        said = self.call("--steps", "3", "--", sys.executable, "-c", "import sys; print(sys.argv[1:])", *words)
        self.assertEqual((said.returncode, said.stdout), (0, f"{words}\n"))

    def test_standard_output_is_the_programs_alone(self):
        said = self.call("--", "cat", "/etc/hostname")
        self.assertEqual(said.stdout, pathlib.Path("/etc/hostname").read_text())
        self.assertEqual(said.stderr.count("\n"), 1)

    def test_standard_input_is_the_programs(self):
        said = subprocess.run([PROGRAM, "watch", "--", "tr", "a", "b"], input="aha", capture_output=True, text=True,
                              timeout=LONG, cwd=self.folder)
        self.assertEqual(said.stdout, "bhb")

    def test_exit_codes_are_passed_on(self):
        for code in [0, 1, 3, 130]:
            self.assertEqual(self.call("--", "sh", "-c", f"exit {code}").returncode, code)

    def test_a_reader_of_standard_error_that_left_changes_no_exit_code(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        self.addCleanup(os.close, write_end)
        said = subprocess.run([PROGRAM, "watch", "--", "sh", "-c", "exit 3"], stderr=write_end, timeout=LONG, cwd=self.folder)
        self.assertEqual(said.returncode, 3)

    def test_a_program_that_a_signal_ends_ends_the_watch_the_same_way(self):
        for number in [signal.SIGSEGV, signal.SIGKILL, signal.SIGINT, signal.SIGTERM]:
            said = self.call("--", "sh", "-c", f"kill -{int(number)} $$")
            self.assertEqual(said.returncode, -number)
        shell = subprocess.run(["sh", "-c", f"{PROGRAM} watch -- sh -c 'kill -11 $$'; echo $?"], capture_output=True,
                               text=True, timeout=LONG, cwd=self.folder)
        self.assertEqual(shell.stdout, "139\n")

    def test_signals_to_the_watch_are_passed_on(self):
        for name in ["INT", "TERM", "HUP", "USR1"]:
            with self.start("--", "sh", "-c", f"trap 'exit 7' {name}; echo ready; while :; do sleep 0.1; done") as watch:
                self.assertEqual(watch.stdout.readline(), "ready\n")
                watch.send_signal(getattr(signal, f"SIG{name}"))
                watch.communicate(timeout=LONG)
                self.assertEqual(watch.returncode, 7, name)

    def test_control_C_is_the_programs_to_answer(self):
        """The terminal sends it to the whole group: the program counts one, and ends as it likes."""
        counts = self.write("counts.py", """
            import os, signal, sys
            got = []
            for number in (signal.SIGINT, signal.SIGUSR1):
                signal.signal(number, lambda number, _: got.append(number))
            print("ready", flush=True)
            sys.stdin.readline()
            os.kill(os.getppid(), signal.SIGUSR1)  # comes back behind a SIGINT that should not have been passed on
            while signal.SIGUSR1 not in got:
                pass
            print(got.count(signal.SIGINT))
            """)
        controller, terminal = os.openpty()
        script = f"import os, fcntl, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); " \
                 f"os.execv({str(PROGRAM)!r}, ['tuneproof', 'watch', '--', {sys.executable!r}, {str(counts)!r}])"
        with subprocess.Popen([sys.executable, "-c", script], stdin=terminal, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL, cwd=self.folder) as watch:
            self.assertEqual(watch.stdout.readline(), "ready\n")
            os.write(controller, b"\x03")
            os.write(controller, b"go on\n")
            self.assertEqual(watch.communicate(timeout=LONG)[0], "1\n")
            self.assertEqual(watch.returncode, 0)
        os.close(controller)
        os.close(terminal)

    def test_nothing_is_left_where_nothing_was_recorded(self):
        self.call("--", "true")
        self.assertEqual([path for path in self.folder.rglob("*") if path.name != "tmp"], [])

    def test_wrong_use_is_one_sentence_and_the_program_is_not_started(self):
        for options in [[], ["touch", "started"], ["--skip", "1"], ["--skip", "9", "--at", "3m"], ["--at", "3"], ["--steps", "0"],
                        ["--every", "x"], ["--json", "-"], ["--json", "missing/x.json"], ["--html", "missing/x.html"],
                        ["--against", "missing"], ["-o", "/proc/traces"], ["--stebs", "3"]]:
            with self.subTest(options):
                said = self.call(*options, *(["--", "touch", "started"] if options and "touch" not in options else []))
                self.assertEqual((said.returncode, said.stdout), (1, ""))
                self.assertEqual(said.stderr.count("\n"), 1)
                self.assertTrue(said.stderr.startswith("tuneproof: "))
                self.assertFalse((self.folder / "started").exists())

    def test_a_folder_that_cannot_be_used_is_not_mistaken_for_the_command(self):
        (self.folder / "loop").symlink_to("loop")
        for options, more, place in [(["-o", "x" * 300], {}, "xxx"), (["-o", "loop/traces"], {}, "loop/traces"),
                                     ([], {"TMPDIR": "/missing"}, "TMPDIR")]:
            with self.subTest(place):
                said = self.call(*options, "--", "touch", "started", **more)
                self.assertEqual((said.returncode, said.stderr.count("\n")), (1, 1), said.stderr)
                self.assertIn(place, said.stderr)
                self.assertFalse((self.folder / "started").exists())

    def test_a_command_that_is_not_there_is_one_sentence_and_127(self):
        said = self.call("--", "no-such-command")
        self.assertEqual((said.returncode, said.stderr),
                         (127, "tuneproof: no-such-command: command not found\n"))
        self.assertEqual(self.call("--", "/etc/hostname").returncode, 126)


class Import(Watch):
    """How the recorder comes into the program. None needs PyTorch."""

    def setUp(self):
        super().setUp()
        for name, text in FAKE_TORCH.items():
            self.write(f"site/{name}", text.replace("KINETO", "True"))

    def python(self, code, *options, **more):
        return self.call(*options, "--", sys.executable, "-c", textwrap.dedent(code),
                         **{"PYTHONPATH": str(self.folder / "site"), **more})

    def test_what_a_program_puts_among_the_notes_is_not_waited_for(self):
        said = self.call("--", "sh", "-c", 'cd "${PYTHONPATH%%:*}/notes" && mkfifo 1 && ln -s /dev/zero 2 && mkdir 3')
        self.assertEqual(said.returncode, 0)

    def test_a_trace_that_the_program_wrote_into_a_pipe_is_not_waited_for(self):
        os.mkfifo(self.folder / "pipe")
        note = json.dumps({"what": "their_trace", "file": str(self.folder / "pipe")})
        said = self.call("--", "sh", "-c", 'echo "$0" > "${PYTHONPATH%%:*}/notes/1"', note)
        self.assertEqual(said.returncode, 0)

    def test_a_python_without_torch_is_told_in_one_sentence(self):
        said = self.python("print(1)")
        self.assertEqual((said.returncode, said.stdout), (0, "1\n"))
        self.assertIn("no Python imported torch", said.stderr)
        self.assertIn("set it before tuneproof", said.stderr)
        self.assertEqual(said.stderr.count("\n"), 1)

    def test_the_programs_own_path_is_what_it_would_be(self):
        code = "import sys; print(sys.path, sorted(m for m in sys.modules if 'tuneproof' in m))"
        alone = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG,
                               env=self.environment(PYTHONPATH=str(self.folder / "site")), cwd=self.folder)
        self.assertEqual(self.python(code).stdout, alone.stdout)

    def test_the_programs_own_sitecustomize_runs_once(self):
        self.write("site/sitecustomize.py", "print('own')\nhere = 1")
        said = self.python("import sitecustomize; print(sitecustomize.here); import torch")
        self.assertEqual(said.stdout, "own\n1\n")
        self.assertIn("no step was seen", said.stderr)

    def test_a_sitecustomize_that_fails_fails_as_it_would_alone(self):
        self.write("site/sitecustomize.py", "raise RuntimeError('its own')")
        said = self.python("import torch")
        self.assertIn("RuntimeError: its own", said.stderr)
        self.assertIn("no step was seen", said.stderr)

    def test_a_program_that_steps_nothing_is_told_so(self):
        said = self.python("import torch; print(torch.__version__)")
        self.assertEqual(said.stdout, "9.9\n")
        self.assertIn("no step was seen. One ends where an optimizer of torch.optim has stepped", said.stderr)
        self.assertIn("give a trace of torch.profiler to `tuneproof diagnose`", said.stderr)
        self.assertEqual(said.stderr.count("\n"), 1)

    def test_batches_behind_an_optimizer_that_never_steps_are_told_of_it(self):
        batches = "for i in range(40): torch.utils.data.dataloader._BaseDataLoaderIter().__next__()"
        said = self.python(f"import torch\ntorch.optim.Optimizer.step.hooked = True\n{batches}")
        self.assertIn("the program has made an optimizer, so that a step ends only where one steps", said.stderr)
        self.assertEqual(said.stderr.count("\n"), 1)

    def test_too_few_steps_are_told_with_the_option_that_helps(self):
        said = self.python("import torch\nfor i in range(2): torch.optim.optimizer.step('sgd')".replace(
            "torch.optim.optimizer.step", "__import__('torch.optim.optimizer').optim.optimizer.step"))
        self.assertIn("after 2 steps", said.stderr)
        self.assertIn("--skip", said.stderr)

    def test_a_torch_that_is_too_old_or_has_no_profiler_is_told(self):
        self.write("site/torch/optim/optimizer.py", "")
        self.assertIn("nothing was recorded: torch 9.9 tells nobody when an optimizer has stepped", self.python("import torch").stderr)
        for name, text in FAKE_TORCH.items():
            self.write(f"site/{name}", text.replace("KINETO", "False"))
        said = self.python("import torch")
        self.assertIn("torch 9.9 was built without its profiler", said.stderr)
        self.assertEqual((said.returncode, said.stderr.count("\n")), (0, 1))

    def test_a_recorder_that_fails_ends_nothing_but_itself(self):
        """This torch has no profile to make: the recorder fails when the window opens, in the middle of a step."""
        said = self.python("""
            import torch
            from torch.optim import optimizer
            for i in range(9): optimizer.step("sgd")
            print("trained")
            """, "--skip", "3")
        self.assertEqual((said.returncode, said.stdout), (0, "trained\n"))
        self.assertIn("nothing was recorded: AttributeError", said.stderr)

    def test_a_torch_that_cannot_be_imported_fails_as_it_would_alone(self):
        self.write("site/torch/__init__.py", "import nothing_of_that_name")
        said = self.python("import torch")
        self.assertEqual(said.returncode, 1)
        self.assertNotIn("tuneproof_recorder", said.stderr)
        self.assertIn("No module named 'nothing_of_that_name'", said.stderr)


TRAIN = """
    import os, sys, torch
    torch.manual_seed(0)
    steps = int(os.environ.get("STEPS", 40))
    model = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5)
    data = torch.utils.data.TensorDataset(torch.randn(8 * steps, 32))
    loader = torch.utils.data.DataLoader(data, batch_size=8, num_workers=int(os.environ.get("WORKERS", 0)))
    for (batch,) in loader:
        optimizer.zero_grad()
        loss = model(batch).square().mean()
        loss.backward()
        optimizer.step()
        scheduler.step()
    print(f"loss {loss.item():.6f}", sys.argv[1:], sys.gettrace())
    """


@unittest.skipUnless(HAS_TORCH, "the set-up's Python has no torch")
class Training(Watch):
    def setUp(self):
        super().setUp()
        self.script = self.write("train.py", TRAIN)

    def one_trace(self, said, folder="traces"):
        self.assertEqual(len(self.traces(folder)), 1, said.stderr)
        return self.steps(self.traces(folder)[0])

    def test_an_unchanged_script_says_what_it_says_alone_and_is_diagnosed(self):
        alone = subprocess.run([PYTHON, self.script, "--lr", "1"], capture_output=True, text=True, cwd=self.folder,
                               env=self.environment(STEPS="80"), timeout=LONG)
        said = self.call("--json", "d.json", "--html", "d.html", "--", PYTHON, self.script, "--lr", "1", STEPS="80")
        self.assertEqual((said.returncode, said.stdout), (0, alone.stdout), said.stderr)
        numbers, _, _ = self.one_trace(said)
        self.assertEqual(len(numbers), 5)
        self.assertGreaterEqual(numbers[0], 9, "warm-up passes first")
        for part in ["VERDICT", "Optimizer.step#SGD.step", "NEXT", "tuneproof watch --against traces/train-"]:
            self.assertIn(part, said.stderr)
        written = json.loads((self.folder / "d.json").read_text())
        again = subprocess.run([PROGRAM, "diagnose", self.traces()[0], "--json", "-"], capture_output=True, text=True)
        self.assertEqual(written["verdict"], json.loads(again.stdout)["verdict"])
        self.assertIn("ProfilerStep#", (self.folder / "d.html").read_text())
        self.assertEqual(list((self.folder / "tmp").glob(".tuneproof*")), [])
        self.assertEqual([path for path in (self.folder / "traces").iterdir() if path not in self.traces()], [])

    def test_steps_hold_their_optimizers_range_whole(self):
        said = self.call("--skip", "10", "--steps", "4", "--", PYTHON, self.script, WORKERS="1")
        numbers, steps, ranges = self.one_trace(said)
        self.assertEqual(numbers, [10, 11, 12, 13])
        for step in steps:
            begin, end = step["ts"], step["ts"] + step["dur"]
            inside = [r["name"] for r in ranges if begin <= r["ts"] and r["ts"] + r["dur"] <= end]
            self.assertEqual(inside.count("Optimizer.step#SGD.step"), 1)

    def test_a_long_skip_that_sleeps_ends_at_its_step(self):
        said = self.call("--skip", "50", "--steps", "3", "--", PYTHON, self.script, STEPS="70")
        self.assertEqual(self.one_trace(said)[0], [50, 51, 52])

    def test_stacks_shapes_and_memory_are_recorded_where_asked_for(self):
        said = self.call("--skip", "5", "--stacks", "--shapes", "--memory", "--", PYTHON, self.script)
        self.one_trace(said)
        self.assertIn("with shapes", said.stderr)
        self.assertRegex(said.stderr, r"SGD[.]step +train.py: <module>")

    def test_windows_come_again_with_every(self):
        said = self.call("--skip", "3", "--steps", "2", "--every", "0.02s", "--", PYTHON, self.script, STEPS="400")
        self.assertGreaterEqual(len(self.traces()), 2, said.stderr)
        self.assertIn("traces in all", said.stderr)
        self.assertEqual(said.stderr.count("VERDICT"), 1)

    def test_a_later_run_is_compared_with_an_earlier_one(self):
        self.call("--skip", "3", "--", PYTHON, self.script)
        said = self.call("--skip", "3", "--against", "traces", "--", PYTHON, self.script)
        self.assertEqual(len(self.traces()), 2)
        self.assertIn(" against train-", said.stderr)

    def test_a_short_program_is_diagnosed_by_its_first_steps(self):
        for steps, numbers in [("12", [4, 5, 6, 7, 8]), ("8", [4, 5, 6, 7, 8]), ("6", [4, 5, 6])]:
            with self.subTest(steps):
                said = self.call("-o", steps, "--", PYTHON, self.script, STEPS=steps)
                self.assertEqual(self.one_trace(said, steps)[0], numbers)
                self.assertIn(f"the program ended after {steps} steps, before step times had settled", said.stderr)
                self.assertEqual("(cut off)" in said.stderr, steps != "12")
                self.assertIn("VERDICT", said.stderr)

    def test_time_that_lies_outside_of_the_recorded_steps_is_told(self):
        """The clock of the steps behind the window says ten seconds of each 16th; no other program has the CPUs."""
        rollouts = """
            import time, torch, tuneproof_facts, tuneproof_pace
            rollouts = 0
            tuneproof_pace.monotonic = lambda: time.monotonic() + 10 * rollouts
            tuneproof_pace.queued_seconds = tuneproof_facts.queued_seconds = lambda *thread: 0.0
            """
        loop = TRAIN.replace("optimizer.zero_grad()", "optimizer.zero_grad(); at = globals().get('at', -1) + 1; rollouts += at % 16 == 0")
        script = self.write("rollouts.py", textwrap.dedent(rollouts) + textwrap.dedent(loop))
        said = self.call("--skip", "20", "--json", "d.json", "--", PYTHON, script, STEPS="100")
        self.one_trace(said)
        outside = json.loads((self.folder / "d.json").read_text())["traces"][0]["outside_steps"]
        self.assertRegex(outside or "", r"^\d+ % of the run's time lies outside of steps like these .*`tuneproof watch --steps 18` records them$")
        self.assertIn("of the run's time lies outside", said.stderr)

    def test_on_60_columns_all_that_follows_the_program_is_folded(self):
        said = self.call("--steps", "3", "--", PYTHON, self.script, STEPS="8", COLUMNS="60")
        report = said.stderr[said.stderr.index("tuneproof: the program ended"):]
        self.assertIn("VERDICT", report)
        for line in report.splitlines():
            in_columns = re.search(r"\S {2,}\S.* {2,}\S|\d +\d+$", line.removeprefix("  "))  # a table's figures
            if " " in line.strip() and not in_columns and not line.startswith((" " * 12, "  tuneproof ")):  # to be copied
                self.assertLessEqual(len(line), 60, line)

    def test_steps_without_optimizer_and_loader_end_with_the_backward_pass(self):
        by_hand = """
            import torch
            weight = torch.zeros(20, 1, requires_grad=True)
            for i in range(30):
                loss = (torch.randn(64, 20) @ weight - 1).square().mean()
                BACKWARD
                weight.data -= 0.01 * weight.grad
                weight.grad = None
            """
        for name, backward in [("method", "loss.backward()"), ("function", "torch.autograd.backward([loss])"),
                               ("keyword", "torch.autograd.backward(tensors=loss)")]:
            with self.subTest(name):
                script = self.write(f"by_{name}.py", by_hand.replace("BACKWARD", backward))
                said = self.call("--skip", "8", "-o", name, "--", PYTHON, script)
                numbers, steps, _ = self.one_trace(said, name)
                self.assertEqual(numbers, [8, 9, 10, 11, 12])
                self.assertIn("VERDICT", said.stderr)

    def test_steps_by_hand_end_where_torch_autograd_grad_has_given_the_last_gradients(self):
        by_hand = """
            import torch
            from torch.autograd import grad
            w, b = torch.zeros(20, 1, requires_grad=True), torch.zeros(1, requires_grad=True)
            for i in range(30):
                loss = (torch.randn(64, 20) @ w + b - 1).square().mean()
                GRAD
                with torch.no_grad():
                    w -= 0.01 * first
                    b -= 0.01 * second
            """
        for name, gradients in [("once", "first, second = torch.autograd.grad(loss, [w, b])"),
                                ("kept", "(first,) = torch.autograd.grad(loss, w, retain_graph=True); (second,) = torch.autograd.grad(loss, b)"),
                                ("penalty", "(first,) = torch.autograd.grad(loss, w, None, None, True)\n"
                                 "                (loss + first.square().sum()).backward(); first, second = w.grad, b.grad")]:
            with self.subTest(name):
                script = self.write(f"grad_{name}.py", by_hand.replace("GRAD", gradients))
                said = self.call("--skip", "8", "-o", name, "--", PYTHON, script)
                numbers, steps, _ = self.one_trace(said, name)
                self.assertEqual(numbers, [8, 9, 10, 11, 12])
                self.assertIn("VERDICT", said.stderr)

    def test_an_optimizer_that_steps_in_hooks_of_the_backward_pass_is_recorded_quietly(self):
        in_hooks = """
            import torch
            model = torch.nn.Sequential(*[torch.nn.Linear(8, 8) for _ in range(3)])
            optimizers = {p: torch.optim.KIND([p], lr=0.1) for p in model.parameters()}
            def step(p):
                optimizers[p].step()
                optimizers[p].zero_grad()
            for p in model.parameters():
                p.register_post_accumulate_grad_hook(step)
            OUTER
            for i in range(40):
                model(torch.ones(4, 8)).sum().backward()
                AFTER
            """
        outer = "outer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))]); next(iter(outer.param_groups))['params'][0].grad = torch.ones(1)"
        for name, kind, before, after in [("sgd", "SGD", "", ""), ("adam", "Adam", "", ""), ("both", "SGD", outer, "outer.step()")]:
            with self.subTest(name):
                text = in_hooks.replace("KIND", kind).replace("OUTER", before).replace("AFTER", after)
                said = self.call("--skip", "8", "-o", name, "--", PYTHON, self.write(f"{name}.py", text))
                numbers, steps, ranges = self.one_trace(said, name)
                self.assertEqual(numbers, [8, 9, 10, 11, 12])
                self.assertNotIn("Warning", said.stderr)
                inside = [r["name"] for r in ranges if steps[1]["ts"] <= r["ts"] < steps[1]["ts"] + steps[1]["dur"]]
                self.assertEqual(sum(name.startswith("Optimizer.step") for name in inside), 6 + bool(after))

    def test_a_checkpoint_that_runs_backwards_within_ends_no_step(self):
        script = self.write("reentrant.py", """
            import torch
            from torch.utils.checkpoint import checkpoint
            layer, weight = torch.nn.Linear(8, 8), torch.ones(4, 8, requires_grad=True)
            for i in range(30):
                checkpoint(layer, weight, use_reentrant=True).sum().backward()
            """)
        said = self.call("--skip", "8", "--", PYTHON, script)
        _, steps, _ = self.one_trace(said)
        with gzip.open(self.traces()[0]) as file:
            events = json.load(file)["traceEvents"]
        roots = [e for e in events if e.get("name") == "CheckpointFunctionBackward"]
        inside = [r for r in roots if steps[1]["ts"] <= r["ts"] < steps[1]["ts"] + steps[1]["dur"]]
        self.assertEqual(len(inside), 1)

    def test_an_interrupt_while_the_trace_is_packed_loses_nothing_or_is_told(self):
        """The interrupt comes within the recorder, before, in and after the profiler's own end."""
        interrupted = """
            import torch, tuneproof_window
            window, profile = tuneproof_window.Window, torch.profiler.profile
            def after(own):
                def call(*arguments):
                    own(*arguments)
                    raise KeyboardInterrupt
                return call
            def instead(own):
                def call(*arguments):
                    KIND.NAME = own
                    raise KeyboardInterrupt
                return call
            KIND.NAME = WHEN(KIND.NAME)
            """
        for name, kind, method, when, kept in [
                ("stop", "profile", "stop_trace", "after", True), ("before", "profile", "stop_trace", "instead", False),
                ("stopped", "window", "stop", "after", True), ("export", "profile", "export_chrome_trace", "instead", False)]:
            with self.subTest(name):
                text = textwrap.dedent(interrupted).replace("KIND", kind).replace("NAME", method).replace("WHEN", when)
                script = self.write(f"{name}.py", text + textwrap.dedent(TRAIN))
                said = self.call("--skip", "8", "-o", name, "--", PYTHON, script)
                self.assertEqual(said.returncode, -signal.SIGINT)
                self.assertNotIn("TypeError", said.stderr)
                self.assertEqual(len(self.traces(name)), kept, said.stderr)
                self.assertIn("VERDICT" if kept else "an interrupt came while the profiler packed the recorded steps", said.stderr)

    def test_no_events_are_built_in_python(self):
        script = self.write("builds.py", "import torch.autograd.profiler as p\n"
                            "p.profile._parse_kineto_results = lambda *a, **k: print('built') or []\n" + textwrap.dedent(TRAIN))
        said = self.call("--skip", "8", "--", PYTHON, script)
        self.one_trace(said)
        self.assertNotIn("built", said.stdout)
        self.assertNotIn("Warning", said.stderr)

    def test_a_trace_that_takes_too_long_to_pack_stays_as_it_is(self):
        script = self.write("large.py", "import torch, tuneproof_window\ntuneproof_window.MOST_PACKING = -1\n" +
                            textwrap.dedent(TRAIN))
        said = self.call("--skip", "8", "--", PYTHON, script)
        self.assertEqual(self.traces(), [])
        self.assertEqual(len(list((self.folder / "traces").glob("*.pt.trace.json"))), 1)
        self.assertIn("stays unpacked", said.stderr)
        self.assertIn("VERDICT", said.stderr)

    def test_an_interrupted_program_is_diagnosed_with_what_was_recorded(self):
        script = self.write("stops.py", TRAIN.replace("scheduler.step()", "if (n := globals().get('n', 0) + 1) == 9: raise KeyboardInterrupt"))
        said = self.call("--skip", "3", "--steps", "30", "--", PYTHON, script)
        self.assertEqual(said.returncode, -signal.SIGINT)
        numbers, _, _ = self.one_trace(said)
        self.assertIn(7, numbers)
        self.assertIn("VERDICT", said.stderr)

    def test_an_inference_loop_is_seen_by_its_loader(self):
        script = self.write("infer.py", """
            import torch
            data = torch.utils.data.DataLoader(torch.arange(400.0), batch_size=4)
            with torch.no_grad():
                print(sum(batch.sum().item() for batch in data))
            """)
        said = self.call("--skip", "10", "--", PYTHON, script)
        numbers, _, _ = self.one_trace(said)
        self.assertEqual(numbers, [10, 11, 12, 13, 14])

    def test_a_step_of_two_optimizers_is_their_cycle(self):
        script = self.write("gan.py", """
            import torch
            nets = [torch.nn.Linear(4, 4) for _ in range(2)]
            d, g = [torch.optim.Adam(net.parameters()) for net in nets]
            for i in range(20):
                for optimizer, net in [(d, nets[0])] * 3 + [(g, nets[1])]:
                    optimizer.zero_grad(); net(torch.ones(4)).sum().backward(); optimizer.step()
            """)
        said = self.call("--skip", "6", "--", PYTHON, script)
        _, steps, ranges = self.one_trace(said)
        for step in steps:
            inside = [r for r in ranges if r["name"].startswith("Optimizer.step") and step["ts"] <= r["ts"] < step["ts"] + step["dur"]]
            self.assertEqual(len(inside), 4)

    def test_a_step_that_a_gradient_scaler_leaves_out_is_none(self):
        """The optimizer of every fourth pass would step by infinity, so its scaler does not let it."""
        script = self.write("scaled.py", """
            import torch
            model = torch.nn.Linear(4, 4)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            scaler = torch.amp.GradScaler("cpu", init_scale=2.0)
            for i in range(24):  # of which 18 step
                optimizer.zero_grad()
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    loss = model(torch.ones(4)).sum() * (float("inf") if i % 4 == 3 else 1)
                scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()
            """)
        said = self.call("--skip", "4", "--steps", "6", "--", PYTHON, script)
        numbers, steps, ranges = self.one_trace(said)
        self.assertEqual(numbers, [4, 5, 6, 7, 8, 9])
        for step in steps:
            inside = [r["name"] for r in ranges if step["ts"] <= r["ts"] < step["ts"] + step["dur"]]
            self.assertEqual(inside.count("Optimizer.step#SGD.step"), 1)

    def test_ranks_record_the_same_steps_and_stand_side_by_side(self):
        script = self.write("ranks.py", TRAIN.replace("model = ", "torch.distributed.init_process_group('gloo'); model = "))
        said = self.call("--", PYTHON, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", script,
                         STEPS="60")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual([trace.name.split(".")[0] for trace in self.traces()], ["ranks-rank0", "ranks-rank1"])
        first, second = [self.steps(trace)[0] for trace in self.traces()]
        self.assertEqual(first, second)
        self.assertIn("RANKS: 2", said.stderr)

    def test_a_program_with_a_profiler_of_its_own_keeps_it(self):
        script = self.write("profiles.py", TRAIN.replace("for (batch,)", """
    profile = torch.profiler.profile(schedule=torch.profiler.schedule(wait=2, warmup=1, active=3, repeat=1),
        on_trace_ready=lambda p: p.export_chrome_trace("own.json"))
    profile.start()
    for (batch,)""").replace("scheduler.step()", "profile.step()"))
        said = self.call("--skip", "3", "--steps", "30", "--", PYTHON, script)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(self.traces(), [])
        self.assertIn("the program has a profiler of its own: this is its trace", said.stderr)
        self.assertIn("own.json", said.stderr)
        self.assertIn("VERDICT", said.stderr)

    def test_only_the_verdict_says_why_there_is_none(self):
        script = self.write("silent.py", """
            import torch
            with torch.profiler.profile() as profiler, torch.profiler.record_function("mine"):
                sum(range(100_000))
            profiler.export_chrome_trace("own.json")
            """)
        said = self.call("--", PYTHON, script)
        self.assertIn("VERDICT: cannot say\n  the training thread ran no operator", said.stderr)
        self.assertNotIn("no GPU", said.stderr)  # trainings on a CPU are judged

    def test_a_forked_training_is_watched_where_a_shell_or_a_module_starts_it(self):
        self.write("fork.py", "import os, sys, torch\nif os.fork():\n    sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))\n" +
                   textwrap.dedent(TRAIN))
        said = self.call("--skip", "4", "--", "sh", "-c", f"{PYTHON} -m fork x && exit 5")
        self.assertEqual(said.returncode, 5, said.stderr)
        self.one_trace(said)
        self.assertTrue(self.traces()[0].name.startswith("fork-"))

    def test_compiled_steps_are_not_compiled_anew(self):
        script = self.write("compiled.py", """
            import torch, torch._dynamo.testing
            counter = torch._dynamo.testing.CompileCounter()
            model = torch.nn.Linear(4, 4)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            step = torch.compile(lambda: optimizer.step(), backend=counter)
            for i in range(30):
                optimizer.zero_grad(); model(torch.ones(4)).sum().backward(); step()
            print(counter.frame_count)
            """)
        alone = subprocess.run([PYTHON, script], capture_output=True, text=True, env=self.environment(), timeout=LONG)
        said = self.call("--skip", "8", "--", PYTHON, script)
        self.assertEqual(said.stdout, alone.stdout)
        self.assertEqual(self.one_trace(said)[0], [8, 9, 10, 11, 12])

    def test_an_exception_of_the_program_shows_no_frame_of_ours(self):
        script = self.write("fails.py", TRAIN.replace("scheduler.step()", "optimizer.step(lambda: 1 / 0)"))
        said = self.call("--skip", "2", "--", PYTHON, script)
        self.assertEqual(said.returncode, 1)
        self.assertIn("ZeroDivisionError", said.stderr)
        self.assertNotIn("tuneproof_", said.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
