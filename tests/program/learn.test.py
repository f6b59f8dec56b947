"""The course through its pipe. Usage: learn.test.py TUNEPROOF PROJECT [unittest arguments]

Rows and prices come from files that this test makes out of a stored run: the course itself would measure them for
minutes. One unit is measured for real.
"""

import gzip
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
    "dataload/workers_ready_source/as:threads/workers:5/batch:4KiB": ("helps", 1 / 12),
    "dataload/pre_decode/values:4096": ("helps", 0.1),
    "sync/item_every_step/n:128/device:cpu": ("no_effect", 1.0),
    "dataload/vectorize/batch:16": ("helps", 0.2),
    "precision/amp_bf16/width:512/baseline:fp32/device:cpu": ("helps", 0.5),
    "loop/event_file_flush/each:synced": ("helps", 0.05),
    "autograd/checkpoint_memory/batch:1024/segments:4/device:cpu": ("helps", 0.5),
    "parallel/bucket_size/cap:1MiB/device:cpu": ("helps", 0.25),
    "stgym/device_indices/against:below/unit:step/device:cpu": ("no_effect", 1.0),
    "stgym/single_tail/against:below/unit:step/device:cpu": ("helps", 0.86),
}
READINGS = {row for row in ROWS if row.startswith(("traps/", "autograd/checkpoint_memory/"))}
# Each unit's answers: those that are wrong, then the right one.
ANSWERS = {
    "11_clock": (["too much"], "too little"),
    "12_scatter": (["40"], "1.2"),
    "13_order": (["agrees"], "too much"),
    "14_operators": (["aten::linear aten::addmm aten::relu", "aten::addmm aten::relu aten::add_"],
                     "aten::copy_, aten::relu, aten::addmm"),
    "15_regime": (["compute-bound", "2", "overhead/sync-bound"], "input"),
    "21_slow_source": (["slower"], "faster"),
    "22_ready_source": (["slower"], "faster"),
    "23_bytes": (["18 ms"], "20 us"),
    "24_decode": (["100"], "8"),
    "25_chunks": (["1.2"], "2"),
    "31_planted": (["aten::linear", "cudaDeviceSynchronize", "cudaStreamSynchronize"], ".item()"),
    "32_item": (["faster"], "same"),
    "33_fewer_calls": (["1.1"], "4"),
    "34_precision": (["becdfag", "bedcfga"], "b e d c f a g"),
    "35_bf16": (["slower"], "faster"),
    "36_loop_costs": (["1.1"], "20"),
    "37_gradients": (["1.1"], "4"),
    "38_on_paper": (["3"], "1.13"),
    "39_one_launch": (["1"], "2"),
    "40_checkpoints": (["1.1"], "1.7"),
    "41_amdahl": (["16", "100"], "80 %"),
    "42_ladder": (["faster"], "same"),
    "43_twice": (["same"], "faster"),
    "44_your_script": (["input-bound", "compute-bound"], "overhead/sync-bound"),
}
EXERCISES = {"14_operators", "15_regime", "31_planted", "34_precision", "41_amdahl", "44_your_script"}


def made_up_results(file):
    """A run whose rows are ROWS, in the form of a stored one."""
    stored = json.loads(gzip.decompress((MACHINE / "2026-11-21-1697d9f.json.gz").read_bytes()))
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
            what = "what the timer says" if name.startswith("traps/") else "peak memory"
            pair["figures"] = [{"name": what, "unit": "x", "naive": 1, "optimized": ratio}]
        row = {key: value for key, value in pair.items() if key in sample}
        block["pairs"].append(row | {"sides": ["first", "second"]})  # as files of today have them
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
        self.assertIn(f"{len(ANSWERS)} of {len(ANSWERS)} units: {len(ANSWERS)} right, 0 wrong, 0 shown, 0 skipped", said.stdout)
        said = self.learn("", "--list")
        for phase in ["instrument", "feed", "speed up the step", "apply"]:
            self.assertIn(phase, said.stdout)

    def test_each_planted_wrong_answer_is_caught(self):
        for name, (wrong, right) in ANSWERS.items():
            for answer in wrong:
                with self.subTest(f"{name}: {answer}"):
                    self.progress.unlink(missing_ok=True)
                    said = self.learn(f"{answer}\n{right}\n", name, *self.given())
                    self.assertEqual(said.returncode, 0, said.stderr)
                    self.assertIn("WRONG.", said.stdout)
                    self.assertEqual(said.stdout.count("Hint: "), 1 if name in EXERCISES else 0)
                    if name in EXERCISES:
                        self.assertEqual((self.kept()[name]["how"], self.kept()[name]["tries"]), ("right", 2))
                        self.assertIn("1 right (1 at a later try)", said.stdout)
                    else:
                        self.assertEqual(self.kept()[name]["how"], "otherwise")

    def test_numbers_out_of_any_sense_are_asked_for_again_with_the_range(self):
        for name, typed in {"24_decode": "1e99", "33_fewer_calls": "0.0001", "23_bytes": "100 s", "41_amdahl": "4000"}.items():
            said = self.learn(f"{typed}\nskip\n", name, *self.given())
            self.assertRegex(said.stdout, r"> Please type a (number|time with its unit,) from .* to ", name)
            self.assertEqual(self.kept()[name]["how"], "skipped")

    def test_a_unit_is_found_by_its_number(self):
        said = self.learn("skip\n", "34")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(list(self.kept()), ["34_precision"])
        self.assertIn("no unit '3'; unit 3 of 24 is '13_order'", self.learn("", "3").stderr)

    def test_a_unit_is_found_by_its_word_and_says_what_is_next(self):
        said = self.learn("too little\n", "clock", *self.given())
        self.assertIn("[1/24] 11_clock, instrument: ", said.stdout)
        self.assertTrue(said.stdout.endswith("Next: tuneproof learn 12\n"), said.stdout)
        self.assertIn("Next: tuneproof learn 12\n", self.learn("skip\n", "44").stdout)

    def test_the_last_open_unit_ends_the_course(self):
        said = self.learn("skip\n" * len(ANSWERS))
        self.assertIn("No unit is open.", said.stdout)
        self.assertIn("No unit is open.", self.learn("skip\n", "15").stdout)

    def test_each_exercise_has_a_second_hint(self):
        for name in EXERCISES:
            wrong = ANSWERS[name][0][0]
            self.assertEqual(self.learn(f"{wrong}\n{wrong}\n", name).stdout.count("Hint: "), 2, name)

    def test_a_hint_is_offered_while_there_is_one(self):
        said = flat(self.learn("rubbish\nhint\nrubbish\nhint\nrubbish\nskip\n", "15").stdout)
        self.assertEqual(said.count("prints, hint, solution"), 2)
        self.assertEqual(said.count("prints, solution"), 1)

    def test_an_answer_that_names_two_is_asked_back(self):
        self.assertIn("Compute-bound or memory-bound? Please type", self.learn("gpu-bound\nskip\n", "15").stdout)

    def test_a_question_mark_says_what_counts_and_what_it_says_counts(self):
        said = self.learn("?\nMemory bound\n4\ninput\n", "15").stdout
        self.assertIn("memory-bound or overhead/sync-bound: in full, by some of its words, or by its number", flat(said))
        self.assertIn("You said memory-bound.", said)
        self.assertIn("You said overhead/sync-bound.", said)
        self.assertEqual(self.kept()["15_regime"]["how"], "right")
        self.assertIn("a number from 1 to 100", self.learn("?\nskip\n", "41").stdout)
        self.assertIn("RIGHT. You said 81,3.", self.learn("81,3\n", "41").stdout)

    def test_a_sentence_is_no_list_of_names_and_a_factor_is_no_share(self):
        self.assertIn("The report has no 'about'. Please type 3 names", self.learn("about 2 times\nskip\n", "14").stdout)
        self.assertIn("> Please type a number from", self.learn("about 2 times\nskip\n", "41").stdout)

    def test_a_solution_follows_a_right_answer_too(self):
        self.assertIn("three times in each step", flat(self.learn(".item()\n", "31").stdout))

    def test_the_list_of_units_is_shown_only_where_it_is_asked_for(self):
        said = self.learn("skip\n", "34")
        self.assertNotIn("44_your_script", said.stdout)
        self.assertIn("learn --list", self.learn("", "").stdout)


# Figures in the texts that are sizes of what is measured: they stand in this file or in the row's name, too.
SIZES = {
    "12_scatter": ("microbench/traps/one_sample.cpp", ["20", "21"]),
    "13_order": ("microbench/traps/first_then_second.cpp", ["1"]),
    "21_slow_source": ("microbench/dataload/workers_slow_source.cpp", ["2", "4"]),
    "24_decode": ("microbench/dataload/pre_decode.cpp", ["4096"]),
    "25_chunks": ("microbench/overlap/chunked_streams.cpp", ["2", "3", "4", "6", "12", "16"]),
    "32_item": ("microbench/sync/item_every_step.cpp", ["49", "50"]),
    "33_fewer_calls": ("microbench/dataload/vectorize.cpp", ["16", "64"]),
    "35_bf16": ("microbench/precision/amp_bf16.cpp", ["128", "512"]),
    "36_loop_costs": ("microbench/loop/event_file_flush.cpp", ["200"]),
    "37_gradients": ("microbench/parallel/bucket_size.cpp", ["1", "96", "128"]),
    "38_on_paper": ("microbench/sync/item_every_step.cpp", ["50", "1024"]),
    "39_one_launch": ("microbench/launch/graph_short_kernels.cpp", ["20"]),
    "40_checkpoints": ("microbench/autograd/checkpoint_memory.cpp", ["4", "8", "16"]),
    "43_twice": ("workloads/stgym/single_tail.cpp", ["2000"]),
}
BY_DEFINITION = {"23_bytes": ["1", "1048576", "1073741824", "10", "9"],  # a mebibyte, a gibibyte; a gigabyte is 10^9
                 "25_chunks": ["1", "100"],  # what the learner may set, and ask
                 "39_one_launch": ["4"],  # MB: half a million floats, read and written
                 "38_on_paper": ["1.5", "0.1", "1", "1866", "933"]}  # what the learner may set, a seed, the A30's data sheet
MEASURED = re.compile(r"[(](results/\w+/README[.]md), commit (\w+)[)]")
SOURCE = re.compile(r"[(](?:[^()]*xiaohan2012.github.io|AMP recipe|the case study's code|JEDEC|(?:half of )?the format's smallest (?:positive )?number)")
TRUTH = re.compile(r"The answer: (.*?) [(]((?:/\S*[.]json|\w+[.]json, which|the solution|a prediction)[^()]*(?:[(][^()]*[)][^()]*)*)[)]")
WORDS = {"ten": "10", "twenty": "20", "fifty": "50", "hundred": "100", "thousand": "1000"}


def figures(text):
    """The numbers in it, without those that belong to a name: FP16, A30, 21_slow_source, bytes:1MiB."""
    text = re.sub(r"[\w.:-]*[A-Za-z_:][\w.:-]*/\S*|\b[A-Za-z_][\w-]*\d[\w-]*|\b\d+_\w+", " ", text)
    text = re.sub("|".join(rf"\b{word}\b" for word in WORDS), lambda found: WORDS[found[0]], text)
    return [number.replace(",", "") for number in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?", text)]


def flat(text):
    return " ".join(text.split())


class Figures(Scene):
    """Each number that the course prints comes from this machine or carries its source."""

    def blocks(self):
        """What was said in each unit when all was answered rightly, and the tools' files behind it."""
        said = self.learn("".join(right + "\n" for _, right in ANSWERS.values()), *self.given()).stdout
        parts = re.split(rf"^\[\d+/{len(ANSWERS)}\] ", said.partition(f"\n{len(ANSWERS)} of ")[0], flags=re.M)
        self.assertEqual(len(parts), 1 + len(ANSWERS))
        self.assertEqual(figures(parts[0].replace(str(self.progress), "")), [])
        return dict(zip(ANSWERS, map(flat, parts[1:])))

    def test_figures_in_the_texts_are_sizes_of_what_is_measured_or_carry_their_source(self):
        for unit in ANSWERS:
            text = (PROJECT / f"docs/learn/{unit}.txt").read_text()
            file, sizes = SIZES.get(unit, ("docs/commands.md", []))
            known = figures((PROJECT / file).read_text()) + re.findall(r"^row: .*:(\d+)$", text, re.M)
            for size in sizes:
                self.assertIn(size, known, f"{unit}: {file}")
            for paragraph in text.split("\n\n")[1:]:
                if SOURCE.search(flat(paragraph)):
                    continue
                measured = MEASURED.search(flat(paragraph))
                known = figures((PROJECT / measured[1]).read_text()) if measured else []
                for figure in figures(MEASURED.sub("", flat(paragraph))):
                    if figure in known:
                        continue
                    self.assertIn(figure, sizes + BY_DEFINITION.get(unit, []), f"{unit}: {paragraph}")

    def test_beside_its_text_a_unit_shows_no_figure_but_the_truth_and_the_answer(self):
        for unit, block in self.blocks().items():
            text = (PROJECT / f"docs/learn/{unit}.txt").read_text()
            for paragraph in filter(flat, re.split(r"\n\n|^(?:ASK|SOLUTION|AFTER)$", text, flags=re.M)[1:]):
                block = block.replace(flat(paragraph), " ")
            block = re.sub(r"You said [^.]*(?:[.]\d+)?[^.]*[.]", " ", TRUTH.sub(" ", block))
            block = re.sub(r"[(]Please type [^)]*[)]", " ", block)
            near = re.search(r"^near: (.*)$", text, re.M)
            if near:
                block = block.replace(f"A factor of {near[1]} either way counts as right.", "")
            command = re.search(r"^(?:row|price): (.*)$", text, re.M)
            block = block.replace(str(self.path), "").replace(command[1] if command else "--top 12 ", "")
            title = re.search(r"^title: (.*)$", text, re.M)[1]
            block = re.sub(r"SIMULATED: no GPU took part.*", "", block)  # what the simulation shows
            self.assertEqual(figures(block.replace(title, "")), [], f"{unit}: {block}")

    def test_the_truth_is_what_the_files_say_and_names_them(self):
        prices = json.loads(sorted(MACHINE.glob("prices-*.json"))[-1].read_text())["benchmarks"]
        for unit, block in self.blocks().items():
            page = (PROJECT / f"docs/learn/{unit}.txt").read_text()
            keys = dict(re.findall(r"^(\w+): (.*)$", page, re.M))
            truth, origin = TRUTH.search(block).groups()
            if "row" in keys:
                ratio = ROWS[keys["row"]][1]
                expected = [1, 1000 * ratio] + [value for at in (ratio, 0.99 * ratio, 1.01 * ratio)
                                               for value in (at, 100 * abs(at - 1), 1 / at)]
                self.assertRegex(origin, r"r\.json; .* CPUs")
            elif "price" in keys:
                row = next(row for row in prices if row["name"] == f"prices/{keys['price']}/real_time")
                expected = [row["real_time"] * scale for scale in (1, 1e-3, 1e-6)]
                self.assertIn("prices-", origin)
            elif "trace" in keys:
                command = re.search(r"tuneproof (diagnose .*?) Type run to see", block)[1]
                self.assertEqual("--sort self_cuda" in command, "part: operators" in page and keys["check"] != "regime",
                                 "an option that changes nothing")
                whole = re.sub(r" --only \S+", "", command)
                shown = subprocess.run([PROGRAM, *whole.split()], capture_output=True, text=True, timeout=PATIENCE)
                expected = [float(number) for number in figures(shown.stdout)]
                self.assertEqual(origin, f"{keys['trace']}, which is made up")
            elif "recording" in keys:
                file = re.search(r"tuneproof simulate --from (\S+) ", block)[1]
                shown = subprocess.run([PROGRAM, "simulate", "--from", file, "--gpu", keys["gpu"], "--json", "-"],
                                       capture_output=True, text=True, timeout=PATIENCE)
                row = json.loads(shown.stdout)["simulated"][0]
                seconds = [form["simulated_seconds"] for form in row["forms"]]
                expected = [scale * second for scale in (1e3, 1e6) for second in seconds] + [seconds[0] / seconds[1]]
                self.assertEqual(origin, "a prediction: no GPU took part")
            else:
                expected = []
            for figure in figures(truth):
                self.assertTrue(any(abs(float(figure) - value) <= 0.006 * value for value in expected),
                                f"{unit}: {figure} of '{truth}' is not in {expected}")


class Progress(Scene):
    def test_what_was_done_is_kept_and_the_next_time_goes_on_there(self):
        first = self.learn("too little\n1.2\n", *self.given())
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(list(self.kept()), ["11_clock", "12_scatter"])
        self.assertIn("continue where you left off", first.stdout)
        second = self.learn("too much\n", *self.given())
        self.assertNotIn("11_clock", second.stdout)
        self.assertEqual(list(self.kept()), ["11_clock", "12_scatter", "13_order"])

    def stopped_by(self, number):
        child = subprocess.Popen([PROGRAM, "learn", "--progress", self.progress, *map(str, self.given())],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        child.stdin.write("too little\n")
        child.stdin.flush()
        begin = time.monotonic()
        while not (self.progress.exists() and "11_clock" in self.progress.read_text()):
            self.assertIsNone(child.poll(), "it ended by itself")
            self.assertLess(time.monotonic() - begin, PATIENCE)
            time.sleep(0.05)
        child.send_signal(number)
        said, complaint = child.communicate(timeout=PATIENCE)
        self.assertEqual((child.returncode, complaint), (128 + number, ""))
        self.assertIn("Stopped; your progress is kept in", said)
        self.assertEqual(self.kept()["11_clock"]["how"], "right")

    def test_ctrl_c_keeps_it(self):
        self.stopped_by(signal.SIGINT)

    def test_other_signals_keep_it_and_are_named_by_the_exit_code(self):
        self.stopped_by(signal.SIGTERM)

    def test_it_lies_in_the_state_folder_unless_a_file_is_named(self):
        said = subprocess.run([PROGRAM, "learn", "--list"], capture_output=True, text=True, timeout=PATIENCE,
                              env={**os.environ, "XDG_STATE_HOME": str(self.path)})
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn(f"0 of {len(ANSWERS)} units", said.stdout)
        subprocess.run([PROGRAM, "learn", "34_precision"], input="skip\n", capture_output=True, text=True,
                       timeout=PATIENCE, env={**os.environ, "XDG_STATE_HOME": str(self.path)}, check=True)
        self.assertEqual(json.loads((self.path / "tuneproof/learn.json").read_text())["units"]["34_precision"]["how"],
                         "skipped")

    def test_restart_forgets(self):
        self.learn("skip\n", "34_precision")
        self.learn("", "--restart")
        self.assertIn(f"0 of {len(ANSWERS)} units", self.learn("", "--list").stdout)
        self.assertEqual(self.kept(), {})

    def test_a_damaged_file_costs_one_sentence_and_stays_as_it_is(self):
        schema = '{"schema": "tuneproof.learn", '
        for text in ["{", "{}", "[]", "\x00\x01rubbish", schema + '"version": 1, "units": {"11_clock": 1}}',
                     schema + '"version": 2, "units": {}}', schema + '"units": {}}',
                     schema + '"version": 1, "units": {"11_clock": {"how": "bravely", "answer": "", "truth": ""}}}']:
            self.progress.write_text(text)
            said = self.learn("skip\n")
            self.assertEqual((said.returncode, said.stdout, len(said.stderr.splitlines())), (1, "", 1), said.stderr)
            self.assertIn("learn.json", said.stderr)
            self.assertEqual(self.progress.read_text(), text)

    def test_where_it_cannot_be_written_nothing_is_asked(self):
        said = subprocess.run([PROGRAM, "learn", "--progress", "/proc/learn.json"], input="skip\n",
                              capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((said.returncode, said.stdout), (1, ""))


    def test_a_unit_that_the_course_no_longer_has_counts_for_nothing(self):
        self.learn("skip\n", "34_precision")
        kept = json.loads(self.progress.read_text())
        kept["units"]["99_gone"] = kept["units"]["34_precision"]
        self.progress.write_text(json.dumps(kept))
        self.assertIn(f"1 of {len(ANSWERS)} units: 0 right, 0 wrong, 0 shown, 1 skipped", self.learn("", "--list").stdout)

    def test_when_all_is_done_it_says_how_to_begin_again(self):
        self.learn("skip\n" * len(ANSWERS))
        self.assertIn("No unit is open.", self.learn("").stdout)


class Dialogue(Scene):
    def test_a_reader_that_has_seen_enough_ends_it_quietly(self):
        said = subprocess.run(["bash", "-c", f"yes | '{PROGRAM}' learn --progress '{self.progress}' | head -3"],
                              capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((len(said.stdout.splitlines()), said.stderr), (3, ""))

    def test_a_reader_that_has_left_ends_it_as_sigpipe_does(self):
        reading, writing = os.pipe()
        os.close(reading)
        said = subprocess.run([PROGRAM, "learn", "--list", "--progress", self.progress], stdout=writing, stderr=subprocess.PIPE,
                              text=True, timeout=PATIENCE)
        os.close(writing)
        self.assertEqual((said.returncode, said.stderr), (128 + signal.SIGPIPE, ""))

    def test_an_output_that_cannot_be_written_costs_one_sentence(self):
        with open("/dev/full", "w") as full:
            said = subprocess.run([PROGRAM, "learn", "--progress", self.progress], input="skip\n", stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        self.assertEqual((said.returncode, said.stderr), (1, "tuneproof: the output could not be written\n"))

    def test_an_unknown_unit_names_the_near_one(self):
        said = self.learn("", "11_clok")
        self.assertEqual(said.returncode, 1)
        self.assertIn("'11_clock'", said.stderr)

    def test_run_shows_what_the_command_of_a_trace_prints(self):
        said = self.learn("run\nskip\n", "31_planted")
        self.assertIn("aten::item", said.stdout.split("> ")[1])
        self.assertNotIn("VERDICT", said.stdout)

    def test_an_exercise_does_not_print_its_own_answer(self):
        for unit, part, answer in [("15_regime", "OPERATORS", "input"), ("44_your_script", "time (mean of", "overhead")]:
            shown = self.learn("run\nskip\n", unit).stdout.split("> ")[1]
            self.assertIn(part, flat(shown))
            self.assertNotIn(answer, shown)
        self.assertNotIn("VERDICT", self.learn("run\nskip\n", "14_operators").stdout)

    def test_the_trace_lies_where_the_command_says(self):
        said = self.learn("skip\n", "15_regime")
        command = re.search(r"tuneproof (diagnose \S+ .*)", said.stdout)[1]
        shown = subprocess.run([PROGRAM, *command.split()], capture_output=True, text=True, timeout=PATIENCE)
        self.assertIn("enumerate(DataLoader...__next__", shown.stdout)

    def test_lines_fit_100_columns(self):
        said = self.learn("skip\n" * len(ANSWERS))
        for line in said.stdout.splitlines():
            if str(self.path) not in line:
                self.assertLessEqual(len(line), 100, line)

    def test_a_row_is_measured_here_where_no_file_has_it(self):
        said = self.learn("same\n", "32_item")
        self.assertEqual(said.returncode, 0, said.stderr)
        if "Nothing is decided" in said.stdout:  # a busy machine may not tell
            self.assertNotIn("32_item", self.kept() if self.progress.exists() else {})
            self.assertIn("run tuneproof learn 32.", flat(said.stdout))
        else:
            self.assertIn(self.kept()["32_item"]["how"], ["right", "otherwise"])
            self.assertIn("measured now, on this machine", flat(said.stdout))
        self.assertIn("Measuring here: tuneproof run sync/item_every_step/n:128/device:cpu\n", said.stdout)

    def test_a_price_is_measured_here_where_no_file_has_it(self):
        said = self.learn("50 us\n", "23_bytes")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("memcpy/bytes:1MiB costs", said.stdout)
        self.assertIn("measured now, on this machine", " ".join(said.stdout.split()))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
