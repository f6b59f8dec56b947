"""The course through its pipe. Usage: learn.test.py TUNEPROOF PROJECT [unittest arguments]

Rows and prices come from files that this test makes out of a stored run: the course itself would measure them for
minutes. One unit is measured for real.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
PROJECT = pathlib.Path(sys.argv[2]).resolve()
MACHINE = PROJECT / "results/cpu-amd-epyc-2-cores"
PATIENCE = 300  # on a machine that builds eight programs at once, too

# What the made-up rows say: verdict, ratio.
ROWS = {
    "traps/clock_before_end/device:cpu": ("hurts", 20.0),
    "traps/one_sample/device:cpu": ("helps", 0.5),
    "traps/first_then_second/device:cpu": ("helps", 0.6),
    "dataload/workers_slow_source/as:threads/workers:4": ("helps", 0.25),
    "dataload/workers_ready_source/as:threads/workers:5/batch:4KiB": ("hurts", 12.0),
    "dataload/pre_decode/values:4096": ("helps", 0.1),
    "sync/item_every_step/n:128/device:cpu": ("no_effect", 1.0),
    "dataload/vectorize/batch:16": ("helps", 0.2),
    "precision/amp_bf16/width:512/baseline:fp32/device:cpu": ("helps", 0.5),
    "stgym/device_indices/against:below/unit:step/device:cpu": ("no_effect", 1.0),
    "stgym/single_tail/against:below/unit:step/device:cpu": ("helps", 0.86),
}
READINGS = {row for row in ROWS if row.startswith("traps/")}
# Each unit's answers: those that are wrong, then the right one.
ANSWERS = {
    "11_clock": (["too much"], "too little"),
    "12_scatter": (["40"], "0.9"),
    "13_order": (["agrees"], "too much"),
    "14_operators": (["aten::linear aten::addmm aten::relu", "aten::addmm aten::relu aten::add_"],
                     "aten::copy_, aten::relu, aten::addmm"),
    "15_regime": (["compute-bound", "2", "overhead/sync-bound"], "input"),
    "21_slow_source": (["hurts"], "helps"),
    "22_ready_source": (["helps"], "hurts"),
    "23_bytes": (["18 ms"], "20 us"),
    "24_decode": (["100"], "8"),
    "31_planted": (["aten::linear", "cudaStreamSynchronize"], "aten::item"),
    "32_item": (["helps"], "no effect"),
    "33_fewer_calls": (["1.1"], "4"),
    "34_precision": (["becdfa", "abcdef"], "b e d c f a"),
    "35_bf16": (["hurts"], "helps"),
    "41_amdahl": (["16", "100"], "80 %"),
    "42_ladder": (["helps"], "no effect"),
    "43_twice": (["no effect"], "helps"),
}
EXERCISES = {"14_operators", "15_regime", "31_planted", "34_precision", "41_amdahl"}


def made_up_results(file):
    """A run whose rows are ROWS, in the form of a stored one."""
    stored = json.loads((MACHINE / "2026-11-21-1697d9f.json").read_text())
    block = stored["tuneproof"]
    sample = next(pair for pair in block["pairs"] if pair["step"] == "stgym/single_tail")
    block["pairs"] = []
    for name, (verdict, ratio) in ROWS.items():
        pair = json.loads(json.dumps(sample))
        step = "/".join(name.split("/")[:2])
        pair.update({"id": name, "step": step})
        pair["result"].update({"verdict": verdict, "ratio": ratio, "ratio_ci": [0.99 * ratio, 1.01 * ratio],
                               "naive_ns": 1e9, "optimized_ns": ratio * 1e9})
        if name in READINGS:
            pair["metric"] = "first_figure"
            pair["figures"] = [{"name": "what the timer says", "unit": "x", "naive": 1, "optimized": ratio}]
        block["pairs"].append({key: value for key, value in pair.items() if key in sample})
    block["session"]["rows"] = list(ROWS)
    block["errors"] = []
    file.write_text(json.dumps(stored))


class Scene(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.progress = self.path / "learn.json"

    def learn(self, typed, *arguments, **environment):
        return subprocess.run([PROGRAM, "learn", "--progress", self.progress, *map(str, arguments)], input=typed,
                              capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, **environment})

    def given(self):
        made_up_results(self.path / "r.json")
        return ["--results", self.path / "r.json", "--prices", sorted(MACHINE.glob("prices-*.json"))[-1]]

    def kept(self):
        return json.loads(self.progress.read_text())["units"]


class FromStartToEnd(Scene):
    def test_right_answers_get_through_the_whole_course(self):
        said = self.learn("".join(right + "\n" for _, right in ANSWERS.values()), *self.given())
        self.assertEqual((said.returncode, said.stderr), (0, ""), said.stdout)
        self.assertEqual({name: unit["how"] for name, unit in self.kept().items()},
                         {name: "right" for name in ANSWERS}, said.stdout)
        self.assertIn("17 of 17 units: 17 right, 0 otherwise, 0 shown, 0 skipped", said.stdout)
        for phase in ["instrument", "feed", "speed up the step", "apply"]:
            self.assertIn(phase, said.stdout)

    def test_each_planted_wrong_answer_is_caught(self):
        for name, (wrong, right) in ANSWERS.items():
            for answer in wrong:
                with self.subTest(f"{name}: {answer}"):
                    self.progress.unlink(missing_ok=True)
                    said = self.learn(f"{answer}\n{right}\n", name, *self.given())
                    self.assertEqual(said.returncode, 0, said.stderr)
                    if name in EXERCISES:
                        self.assertIn("WRONG.", said.stdout)
                        self.assertEqual(self.kept()[name]["how"], "right")
                    else:
                        self.assertIn("OTHERWISE.", said.stdout)
                        self.assertEqual(self.kept()[name]["how"], "otherwise")

    def test_every_figure_that_is_shown_says_where_it_is_from(self):
        said = self.learn("".join(right + "\n" for _, right in ANSWERS.values()), *self.given())
        shown = re.findall(r"What is so: (.*?)(?:\n\n|\nA factor)", said.stdout, re.S)
        self.assertEqual(len(shown), len(ANSWERS))
        for text in shown:
            self.assertRegex(" ".join(text.split()), r"\((?:.*r\.json; .* CPUs.*|.*prices-.*|\w+\.json, which is made up|the "
                                                     r"solution)\)$")

    def test_figures_in_the_texts_carry_their_source(self):
        for file in sorted((PROJECT / "docs/learn").glob("*.txt")):
            for paragraph in file.read_text().split("\n\n")[1:]:
                text = " ".join(paragraph.split())
                if re.search(r"\d (?:us|ms|s|%|GB/s|Self CPU|times|bytes a node)\b", text) and "ASK" not in text:
                    with self.subTest(file.name):
                        self.assertRegex(text, r"\(|Here|here|some", text)


class Progress(Scene):
    def test_what_was_done_is_kept_and_the_next_time_goes_on_there(self):
        first = self.learn("too little\n0.9\n", *self.given())
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(list(self.kept()), ["11_clock", "12_scatter"])
        self.assertIn("goes on where you left", first.stdout)
        second = self.learn("too much\n", *self.given())
        self.assertNotIn("The clock that stops too early\n\n", second.stdout)
        self.assertEqual(list(self.kept()), ["11_clock", "12_scatter", "13_order"])

    def test_ctrl_c_keeps_it(self):
        child = subprocess.Popen([PROGRAM, "learn", "--progress", self.progress, *map(str, self.given())],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        child.stdin.write("too little\n")
        child.stdin.flush()
        begin = time.monotonic()
        while not (self.progress.exists() and "11_clock" in self.progress.read_text()):
            self.assertIsNone(child.poll(), "it ended by itself")
            self.assertLess(time.monotonic() - begin, PATIENCE)
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        said, complaint = child.communicate(timeout=PATIENCE)
        self.assertEqual((child.returncode, complaint), (130, ""))
        self.assertIn("Stopped; what was done is kept in", said)
        self.assertEqual(self.kept()["11_clock"]["how"], "right")

    def test_it_lies_in_the_state_folder_unless_a_file_is_named(self):
        said = subprocess.run([PROGRAM, "learn", "--list"], capture_output=True, text=True, timeout=PATIENCE,
                              env={**os.environ, "XDG_STATE_HOME": str(self.path)})
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("0 of 17 units", said.stdout)
        subprocess.run([PROGRAM, "learn", "34_precision"], input="skip\n", capture_output=True, text=True,
                       timeout=PATIENCE, env={**os.environ, "XDG_STATE_HOME": str(self.path)}, check=True)
        self.assertEqual(json.loads((self.path / "tuneproof/learn.json").read_text())["units"]["34_precision"]["how"],
                         "skipped")

    def test_restart_forgets(self):
        self.learn("skip\n", "34_precision")
        self.assertIn("0 of 17 units", self.learn("", "--list", "--restart").stdout)
        self.assertEqual(self.kept(), {})

    def test_a_damaged_file_costs_one_sentence_and_stays_as_it_is(self):
        for text in ["{", "{}", '{"schema": "tuneproof.learn", "units": {"11_clock": 1}}']:
            self.progress.write_text(text)
            said = self.learn("skip\n")
            self.assertEqual((said.returncode, said.stdout, len(said.stderr.splitlines())), (1, "", 1), said.stderr)
            self.assertIn("learn.json", said.stderr)
            self.assertEqual(self.progress.read_text(), text)

    def test_where_it_cannot_be_written_nothing_is_asked(self):
        said = subprocess.run([PROGRAM, "learn", "--progress", "/proc/learn.json"], input="skip\n",
                              capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((said.returncode, said.stdout), (1, ""))


class Dialogue(Scene):
    def test_an_unknown_unit_names_the_near_one(self):
        said = self.learn("", "clock")
        self.assertEqual(said.returncode, 1)
        self.assertIn("'11_clock'", said.stderr)

    def test_run_shows_what_the_command_of_a_trace_prints(self):
        said = self.learn("run\nskip\n", "31_planted")
        self.assertIn("VERDICT: overhead/sync-bound", said.stdout)

    def test_the_trace_lies_where_the_command_says(self):
        said = self.learn("skip\n", "15_regime")
        command = re.search(r"tuneproof (diagnose \S+ .*)", said.stdout)[1]
        shown = subprocess.run([PROGRAM, *command.split()], capture_output=True, text=True, timeout=PATIENCE)
        self.assertIn("VERDICT: input-bound", shown.stdout)

    def test_lines_fit_100_columns(self):
        said = self.learn("skip\n" * len(ANSWERS))
        for line in said.stdout.splitlines():
            if str(self.path) not in line:
                self.assertLessEqual(len(line), 100, line)

    def test_a_row_is_measured_here_where_no_file_has_it(self):
        said = self.learn("no effect\n", "32_item")
        self.assertEqual(said.returncode, 0, said.stderr)
        unit = self.kept()["32_item"]
        self.assertIn(unit["how"], ["right", "otherwise", "skipped"])  # a busy machine may not tell
        self.assertRegex(said.stdout, r"measured now, on this machine|It cannot be told here")

    def test_a_price_is_measured_here_where_no_file_has_it(self):
        said = self.learn("50 us\n", "23_bytes")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("memcpy/bytes:1MiB costs", said.stdout)
        self.assertIn("measured now, on this machine", " ".join(said.stdout.split()))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
