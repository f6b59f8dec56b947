"""The Python package: two callables compared, results read, and what the environment lacks said in one sentence.

Usage: python.test.py BUILD CMAKE [unittest arguments].
"""

import importlib
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

BUILD, CMAKE = pathlib.Path(sys.argv[1]), sys.argv[2]
PAIRS = """
def slow(): return sum([i * 2 for i in range(40000)])
def fast(): return 1599960000
def wrong(): return 1
def near(): return [0.5, 1.0 + 1e-4]
def exact(): return [0.5, 1.0]
def nothing(): pass
def raising(): raise ValueError("no such file")
"""


def staged():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof-python"))
    unittest.addModuleCleanup(shutil.rmtree, folder)
    subprocess.run([CMAKE, "--install", BUILD, "--component", "wheel", "--prefix", folder], check=True, capture_output=True)
    (folder / "pairs.py").write_text(PAIRS)
    return folder


def setUpModule():
    global FOLDER, tuneproof, program, pairs
    FOLDER = staged()
    sys.path.insert(0, str(FOLDER))
    tuneproof, pairs = importlib.import_module("tuneproof"), importlib.import_module("pairs")
    program = importlib.import_module("tuneproof._program")


class Compare(unittest.TestCase):
    def compared(self, naive, optimized, **more):
        return tuneproof.compare(naive, optimized, quiet=True, **more)

    def test_a_form_that_does_next_to_nothing_is_much_faster(self):
        done = self.compared(pairs.slow, pairs.fast)
        self.assertLess(done.change, -0.5, done)  # its median: on a busy machine the interval may be any
        self.assertEqual(done.results["tuneproof"]["pairs"][0]["id"], "pairs/slow_fast")

    def test_callables_that_return_something_else_are_failed_and_never_timed(self):
        done = self.compared(pairs.slow, pairs.wrong)
        self.assertEqual((done.verdict, done.change), ("failed", None))
        self.assertIn("disagree", done.reason)

    def test_numbers_agree_within_the_tolerance_that_was_given(self):
        self.assertIn("disagree", self.compared(pairs.exact, pairs.near).reason)
        self.assertNotEqual(self.compared(pairs.exact, pairs.near, tolerance=1e-3).verdict, "failed")

    def test_a_tolerance_that_is_no_share_is_refused(self):
        for tolerance in [-1, float("nan"), float("inf"), 1, "0.1", None]:
            with self.subTest(tolerance), self.assertRaisesRegex(ValueError, f"tolerance={tolerance!r} cannot be used"):
                self.compared(pairs.exact, pairs.near, tolerance=tolerance)

    def test_a_callable_that_returns_nothing_proves_nothing(self):
        self.assertEqual(self.compared(pairs.nothing, pairs.nothing).reason,
                         "nothing() returns nothing, so nothing shows that both compute the same")

    def test_cpu_time_is_the_reason_where_the_clock_cannot_tell(self):
        judged = importlib.import_module("tuneproof._compare").judged
        result = {"verdict": "inconclusive", "ratio": 0.9, "ratio_ci": [0.7, 1.1], "flags": ["too noisy"],
                  "cpu_time": {"verdict": "helps", "ratio": 0.9, "ratio_ci": [0.89, 0.92]}}
        file = {"tuneproof": {"errors": [], "pairs": [{"id": "own", "result": result}]}}
        self.assertEqual(str(judged(file)),
                         "cannot tell: -10.0 % [-30.0, +10.0] (too noisy, by CPU time it helps: -10.0 % [-11.0, -8.0])")
        result["cpu_time"]["verdict"] = "inconclusive"
        self.assertEqual(judged(file).reason, "too noisy")
        result.update(verdict="helps", cpu_time={"verdict": "helps", "ratio": 0.9, "ratio_ci": [0.89, 0.92]})
        self.assertEqual(judged(file).reason, "too noisy")

    def test_what_is_shown_is_the_progress_and_no_warning(self):
        with tempfile.TemporaryFile("w+") as said:
            kept = os.dup(2)
            os.dup2(said.fileno(), 2)
            try:
                tuneproof.compare(pairs.slow, pairs.fast, looks=1)
            finally:
                os.dup2(kept, 2)
                os.close(kept)
            said.seek(0)
            text = said.read()
        self.assertIn("[rehearsal]", text)
        self.assertNotIn("Warning", text)

    def test_an_earlier_file_is_not_taken_for_a_measurement_that_failed(self):
        with tempfile.TemporaryDirectory() as folder:
            earlier = pathlib.Path(folder) / "earlier.json"
            earlier.write_text('{"tuneproof": {"pairs": [], "errors": []}}')
            with self.assertRaisesRegex(RuntimeError, "--threads"):
                self.compared(pairs.slow, pairs.fast, threads="none", json_file=earlier)
            with mock.patch.object(program, "why_not", return_value=""), self.assertRaisesRegex(RuntimeError, "no step or row"):
                tuneproof.run("no/such_step", json_file=earlier)

    def test_an_exception_is_the_reason(self):
        self.assertEqual(self.compared(pairs.slow, pairs.raising).reason, "ValueError: no such file")

    def test_what_a_fresh_process_cannot_find_is_refused(self):
        with self.assertRaisesRegex(ValueError, "define it at the top of a module"):
            tuneproof.compare(pairs.slow, lambda: 1)

    def test_modules_of_the_current_folder_are_not_imported(self):
        script = FOLDER / "elsewhere.py"
        script.write_text(PAIRS + "\nimport tuneproof\nif __name__ == '__main__':\n"
                          "    print(tuneproof.compare(slow, wrong, quiet=True).reason)\n")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "json.py").write_text("raise SystemExit('a stranger')")
            done = subprocess.run([sys.executable, script], text=True, capture_output=True, timeout=300, cwd=folder,
                                  env={**os.environ, "PYTHONPATH": str(FOLDER)})
        self.assertIn("disagree", done.stdout, done.stderr)

    def test_a_script_that_compares_its_own_functions_is_measured(self):
        script = FOLDER / "script.py"
        script.write_text(PAIRS + "\nimport tuneproof\nif __name__ == '__main__':\n"
                          "    print(tuneproof.compare(slow, wrong, quiet=True).reason)\n")
        done = subprocess.run([sys.executable, script], text=True, capture_output=True, timeout=300,
                              env={**os.environ, "PYTHONPATH": str(FOLDER)})
        self.assertIn("disagree", done.stdout, done.stderr)

    def test_a_script_without_the_guard_is_told_of_it(self):
        script = FOLDER / "unguarded.py"
        script.write_text(PAIRS + "\nimport tuneproof\nprint(tuneproof.compare(slow, fast, quiet=True).reason)\n")
        done = subprocess.run([sys.executable, script], text=True, capture_output=True, timeout=300,
                              env={**os.environ, "PYTHONPATH": str(FOLDER)})
        self.assertIn('put it under `if __name__ == "__main__":`', done.stdout, done.stderr)


class Answers(unittest.TestCase):
    def setUp(self):
        self.pair = importlib.import_module("tuneproof._pair")

    def test_lists_and_numbers_are_compared_by_what_they_hold(self):
        self.assertEqual(list(self.pair.numbers_of([0.5, (1.0, 2.0)])), [0.5, 1, 2])
        self.assertIsNone(self.pair.numbers_of([1.0, "a"]))
        self.assertNotEqual(self.pair.bytes_of([1, "a"]), self.pair.bytes_of([1, "b"]))

    def test_tensors_are_compared_without_NumPy(self):
        if importlib.util.find_spec("torch") is None:
            self.skipTest("this Python has no torch")
        import torch
        with mock.patch.object(torch.Tensor, "numpy", side_effect=RuntimeError("Numpy is not available")):
            self.assertEqual(list(self.pair.numbers_of(torch.tensor([[1.0, 2], [3, 4]]).t())), [1, 3, 2, 4])
            self.assertEqual(list(self.pair.numbers_of(torch.ones(2, dtype=torch.bfloat16))), [1, 1])
            self.assertEqual(list(self.pair.numbers_of([torch.ones(1), 2.0])), [1, 2])
            self.assertIsNone(self.pair.numbers_of(torch.arange(3)))
            self.assertEqual(self.pair.bytes_of(torch.tensor([1, 258], dtype=torch.int16)), b"\1\0\2\1")

    def test_what_cannot_be_compared_is_named(self):
        with self.assertRaisesRegex(TypeError, "it returns a set"):
            self.pair.bytes_of({1})


class Environment(unittest.TestCase):
    def test_without_torch_a_command_that_measures_says_so(self):
        missing = program.importlib.metadata.PackageNotFoundError()
        with mock.patch("importlib.metadata.version", side_effect=missing):
            self.assertRegex(program.why_not(["run"]), r"^`tuneproof run` needs torch ~= \S+, and this environment has none")
            self.assertIn("none", program.why_not(["selftest"]))
            self.assertEqual(program.why_not(["tune", "./train --batch {batch:16,32}"]), "")
            self.assertEqual(program.why_not(["diagnose", "t.json"]), "")
            self.assertIn("none", program.why_not(["compare", "--base", "a"]))
            self.assertEqual(program.why_not(["compare", "a", "b"]), "")

    def test_another_torch_is_named(self):
        for version, wheel in [("2.10.0", "+torch2.10"), ("3.0.1", "+torch3.0"), ("1.13.1+cpu", "+torch1.13")]:
            with mock.patch("importlib.metadata.version", return_value=version):
                self.assertIn(f"and this environment has {version}; install the wheel with {wheel} in its name", program.why_no_torch())

    def test_a_torch_of_another_CUDA_and_one_without_are_named(self):
        wanted = program.NEEDS["torch"]
        for line, words in [("cuda: Optional[str] = '12.6'", "built with CUDA 12;"), ("cuda = '14.0'", "built with CUDA 14;"),
                            ("cuda: Optional[str] = None", "built without;"), ("cuda: Optional[str] = '13.9'", "")]:
            (FOLDER / "version.py").write_text(f"__version__ = '{wanted}'\n{line}\n")
            with mock.patch("importlib.metadata.version", return_value=wanted), mock.patch.object(program, "torch_folder", lambda: FOLDER):
                self.assertIn(words, program.why_no_torch()) if words else self.assertEqual(program.why_no_torch(), "")

    def test_musl_and_an_old_glibc_and_another_system_are_named(self):
        with mock.patch("platform.libc_ver", return_value=("", "")):
            self.assertIn("Alpine", program.why_no_machine())
        with mock.patch("platform.libc_ver", return_value=("glibc", "2.31")):
            self.assertIn("here is 2.31", program.why_no_machine())
        with mock.patch("sys.platform", "darwin"):
            self.assertIn("Linux on x86_64", program.why_no_machine())
        self.assertEqual(program.why_no_machine(), "")


class Versus(unittest.TestCase):
    def compared(self, *commands, **options):
        rows = tuneproof.versus(list(commands), metric_from=r"value (\S+)", **options)
        return rows if isinstance(rows, list) else rows.to_dict("records")

    def test_commands_are_compared_with_the_first(self):
        row, = self.compared("echo value 10", "echo value 20", name=["ten", "twenty"], seed=0, json_file=FOLDER / "v.json")
        self.assertEqual((row["row"], round(row["change"], 9)), ("versus/printed/command:twenty", 1))
        self.assertEqual(json.loads((FOLDER / "v.json").read_text())["tuneproof"]["session"]["seed"], "0x0")

    def test_a_rate_changes_as_it_was_printed(self):
        row, = self.compared("echo value 10", "echo value 20", more_is_better=True)
        self.assertEqual([round(row[key], 9) for key in ("change", "low", "high", "optimized")], [1, 1, 1, 20])
        self.assertEqual((row["unit"], row["optimized_seconds"]), ("", None))  # a number, and no time
        self.assertEqual(row["verdict"], "helps")

    def test_a_dictionary_makes_a_command_several(self):
        rows = self.compared("echo value {n}0", parameter={"n": [1, 2, 3]})
        self.assertEqual([round(row["change"], 9) for row in rows], [1, 2])

    def test_what_goes_wrong_is_the_reason(self):
        self.assertEqual(self.compared("echo value 10", "exit 3")[0]["reason"], "it exited with 3")
        with self.assertRaisesRegex(RuntimeError, "versus takes 2 to 100 commands, and 1 was given"):
            self.compared("echo value 10")
        with self.assertRaisesRegex(TypeError, "expected a list of commands"):
            tuneproof.versus("true")


class Results(unittest.TestCase):
    def test_a_file_becomes_rows(self):
        file = FOLDER / "r.json"
        pair = {"id": "a/b", "device": "cpu", "published": "no figure",
                "result": {"verdict": "no_effect", "flags": [], "ratio": 1.25, "ratio_ci": [1.0, 1.5], "naive_ns": 2e9,
                           "optimized_ns": 2.6e9}}  # of all slots; the table has the other two's product
        error = {"id": "c/d", "device": "cuda:0", "published": "2x", "verdict": "skipped", "message": "no CUDA device"}
        file.write_text(json.dumps({"tuneproof": {"pairs": [pair], "errors": [error]}}))
        rows = tuneproof.results(file)
        rows = rows if isinstance(rows, list) else rows.to_dict("records")
        self.assertEqual([row["verdict"] for row in rows], ["no effect", "skipped"])
        self.assertEqual((rows[0]["change"], rows[0]["low"], rows[0]["high"]), (0.25, 0.0, 0.5))
        self.assertEqual((rows[0]["naive_seconds"], rows[1]["reason"]), (2.0, "no CUDA device"))
        self.assertEqual((rows[0]["naive"], rows[0]["optimized"], rows[0]["unit"], rows[1]["unit"]), (2.0, 2.5, "s", None))

    def test_a_file_of_another_kind_is_named(self):
        file = FOLDER / "other.json"
        file.write_text("{}")
        with self.assertRaisesRegex(ValueError, "other.json is no results file"):
            tuneproof.results(file)

    def test_the_command_is_the_program(self):
        done = subprocess.run([sys.executable, "-m", "tuneproof", "list", "sync/item*"], text=True, capture_output=True,
                              env={**os.environ, "PYTHONPATH": str(FOLDER)})
        self.assertIn("sync/item_every_step", done.stdout, done.stderr)


LOOPS = """
import sys, torch, tuneproof
from torch.optim.optimizer import _global_optimizer_post_hooks as hooks
def train(stop=None):
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in range(30):
        optimizer.zero_grad(); model(torch.ones(4)).sum().backward(); optimizer.step()
        if i == stop: raise KeyboardInterrupt
own = torch.utils.data.dataloader._BaseDataLoaderIter.__next__
with tuneproof.watch(skip=5): train()
try:
    with tuneproof.watch(skip=5, steps=20): train(stop=15)
except KeyboardInterrupt: print("interrupted")
with tuneproof.watch(): pass
with tuneproof.watch(skip=5):
    for batch in torch.utils.data.DataLoader(list(range(30))): pass
print(len(hooks), own is torch.utils.data.dataloader._BaseDataLoaderIter.__next__)
"""


@unittest.skipUnless(importlib.util.find_spec("torch"), "this Python has no torch")
class Watch(unittest.TestCase):
    def test_loops_are_diagnosed_one_after_the_other_and_leave_nothing_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-c", LOOPS], text=True, capture_output=True, cwd=folder,
                                  env={**os.environ, "PYTHONPATH": str(FOLDER), "CUDA_VISIBLE_DEVICES": ""})
            self.assertEqual(len(list(pathlib.Path(folder, "traces").glob("*.pt.trace.json.gz"))), 2, done.stderr)
        self.assertEqual(done.stdout.count("VERDICT"), 2)
        self.assertEqual(done.stdout.splitlines()[-1], "0 True")
        self.assertEqual([line for line in done.stderr.splitlines() if line.startswith("tuneproof:")],
                         ["tuneproof: nothing was recorded: no optimizer stepped and no DataLoader gave a batch often enough",
                          "tuneproof: nothing was recorded: a DataLoader gave batches, but this process has made an optimizer, "
                          "so that a step ends only where one steps, and none did; run a loop without an optimizer in a fresh "
                          "process (a notebook: restart its kernel)"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
