"""The program from outside: what a person types, and what comes back. Usage: program.test.py TUNEPROOF"""

import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

from program_help import all_commands

PROGRAM = sys.argv.pop(1)
COMMANDS = list(all_commands(PROGRAM))
PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
PLAIN = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}


def call(*arguments, **environment):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120,
                          env={**PLAIN, **environment})


def on_terminal(*arguments, **environment):
    """The output of the program on a terminal."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen([PROGRAM, *arguments], stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL,
                             env={**PLAIN, "TERM": "xterm", **environment})
    os.close(theirs)
    text = b""
    try:
        while piece := os.read(ours, 65536):
            text += piece
    except OSError:  # the terminal's other end is closed
        pass
    os.close(ours)
    child.wait(timeout=120)
    return text.decode()


class LeaveOneOut(unittest.TestCase):
    def rows(self, *arguments):
        said = call("run", *arguments, "--dry-run", "--device", "cpu")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        return [line for line in said.stdout.splitlines() if line.startswith("stgym/leave_one_out/")]

    def test_each_kept_change_is_measured_at_both_ends_of_the_ladder(self):
        rows = self.rows("stgym/*", "--leave-one-out")
        for change in ["device_indices", "segment_pooling", "fused_pooling"]:
            for end in ["best", "naive"]:
                name = f"stgym/leave_one_out/switch:{change}/from:{end}/device:cpu"
                self.assertEqual(len([row for row in rows if row.startswith(name + "  ")]), 1, name)

    def test_it_stays_out_of_a_run_that_does_not_ask_for_it(self):
        self.assertEqual(self.rows("stgym/*"), [])
        self.assertEqual(self.rows("--suite", "full"), [])

    def test_without_a_ladder_it_is_an_error(self):
        said = call("run", "sync/*", "--leave-one-out", "--dry-run", "--device", "cpu")
        self.assertEqual(said.returncode, 1)
        self.assertEqual(said.stderr, "tuneproof: --leave-one-out applies to whole ladders, but none is selected; "
                                      "add 'stgym/*', 'resnet50/*', 'gpt/*' or 'unet/*'\n")
        said = call("run", "gpt/accuracy", "--leave-one-out", "--dry-run", "--device", "cpu")
        self.assertTrue(said.stderr.endswith("none is selected; add 'gpt/*'\n"), said.stderr)


class DryRun(unittest.TestCase):
    def last_lines(self, *patterns):
        said = call("run", *patterns, "--dry-run", "--device", "cpu", "--threads", "1")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        return said.stdout.splitlines()[-2:]

    def test_no_sentence_is_wider_than_the_terminal(self):
        said = call("run", "compile/modes", "gpt/best_form", "traps/*", "--suite", "full", "--scale", "0.1", "--dry-run", "--device",
                    "cpu", COLUMNS="60")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        for line in said.stdout.splitlines():
            self.assertTrue(len(line) <= 60 or "/" in line and " " not in line, line)  # a row's name stays whole

    def test_the_time_for_packages_of_the_compiler_is_told_apart(self):
        rows, packages = self.last_lines("compile/modes", "--suite", "full", "--point", "rows=16")
        self.assertRegex(rows, r"^\d rows?(, \d of them skipped)?, at most about \d+ s$")
        self.assertRegex(packages, r"^\(and up to about \d+ (s|min \d+ s) more where torch's compiler has not made")

    def test_no_package_is_spoken_of_where_none_is_made(self):
        self.assertNotIn("compiler", self.last_lines("sync/control_flow")[-1])


class Help(unittest.TestCase):
    def test_the_commands_that_are_looked_at_are_those_of_the_help(self):
        self.assertLessEqual({(), ("list",), ("doctor",), ("history", "check")}, set(COMMANDS))

    def test_every_command_has_a_help_with_two_to_four_examples(self):
        for command in COMMANDS:
            with self.subTest(command):
                said = call(*command, "--help")
                self.assertEqual((said.returncode, said.stderr), (0, ""))
                self.assertIn("Examples:", said.stdout)
                examples = [line for line in said.stdout.split("Examples:")[1].splitlines()
                            if line.startswith("  tuneproof ")]
                self.assertIn(len(examples), [2, 3, 4])
                self.assertTrue(said.stdout.endswith("\n"))

    def test_the_command_help_is_the_option(self):
        for command in [(), ("run",), ("history", "check")]:
            said = call("help", *command)
            self.assertEqual((said.returncode, said.stdout), (0, call(*command, "--help").stdout), said.stderr)
        self.assertIn("unknown command 'rum'", call("help", "rum").stderr)

    def test_the_first_examples_are_what_a_new_machine_needs(self):
        told = call("--help").stdout.split("Examples:")[1]
        self.assertEqual(re.findall(r"(?m)^  tuneproof (\w+)", told)[:3], ["doctor", "prices", "run"])

    def test_help_fits_100_columns(self):
        for command in COMMANDS:
            for line in call(*command, "--help").stdout.splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_version_names_what_it_was_built_with(self):
        said = call("--version")
        self.assertEqual(said.returncode, 0)
        self.assertRegex(said.stdout, r"^tuneproof \d+\.\d+\.\d+ \([0-9a-f]{12}(-dirty)?\)|\(unknown\)")
        self.assertIn("CUDA 1", said.stdout)
        self.assertIn("LibTorch 2.", said.stdout)

    def test_without_a_command_the_help_goes_to_stderr(self):
        said = call()
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertIn("Examples:", said.stderr)


class WrongInput(unittest.TestCase):
    def one_sentence(self, *arguments):
        said = call(*arguments)
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertEqual(said.stderr.count("\n"), 1, said.stderr)
        self.assertTrue(said.stderr.startswith("tuneproof: "), said.stderr)
        return said.stderr

    def test_an_unknown_command_names_near_misses(self):
        self.assertEqual(self.one_sentence("lisst"), "tuneproof: unknown command 'lisst'; did you mean 'list'?\n")
        self.one_sentence("quaternion")

    def test_an_unknown_option_names_near_misses(self):
        self.assertEqual(self.one_sentence("list", "--jsn"),
                         "tuneproof: list has no option '--jsn'; did you mean '--json'?\n")
        self.assertIn("'--version'", self.one_sentence("--versoin"))

    def test_a_pattern_that_matches_nothing_names_near_misses(self):
        self.assertIn("'sync/item_every_step'", self.one_sentence("list", "item_evry"))
        self.assertIn("\nsync/item_every_step ", call("explain", "item_evry").stdout)
        self.assertIn("'sync/item_every_step'", self.one_sentence("run", "item_evry"))

    def test_a_topic_that_is_not_there_names_near_misses(self):
        self.assertIn("'topic/warm_up'", self.one_sentence("explain", "topic/warmup"))
        self.assertIn("topic/warm_up", call("explain", "warm_up").stdout)
        self.assertIn("explain topics", self.one_sentence("explain", "topic/xyz"))

    def test_a_missing_or_superfluous_argument_is_named(self):
        self.assertIn("WORDS", self.one_sentence("explain"))
        self.assertEqual(self.one_sentence("export", "r.json"),
                         "tuneproof: export needs FORMAT (bmf, gha, csv, junit, markdown or tensorboard) and FILE (a file from "
                         "`run --json`; for tensorboard also several); for example: tuneproof export csv results.json >> all.csv; "
                         "see tuneproof export --help\n")
        for words in [["diagnose"], ["tune"], ["merge"], ["history", "add"], ["profile"], ["train"]]:
            self.assertRegex(self.one_sentence(*words), f"^tuneproof: {' '.join(words)} needs [A-Z]+ \\(.*; for example: tuneproof ")
        self.assertIn("'x'", self.one_sentence("doctor", "x"))
        self.assertEqual(self.one_sentence("history"), "tuneproof: history: give add or check; see tuneproof history --help\n")
        self.assertEqual(self.one_sentence("run", "--seed"), "tuneproof: --seed: its N is missing; see tuneproof run --help\n")

    def test_a_dry_run_refuses_a_file_that_could_not_be_written_and_writes_none(self):
        with tempfile.TemporaryDirectory() as folder:
            dry = ["run", "sync/item_every_step", "--device", "cpu", "--dry-run", "--json"]
            self.assertEqual(self.one_sentence(*dry, folder), f"tuneproof: {folder}: is a folder, not a file\n")
            self.assertIn("cannot be written", self.one_sentence(*dry, f"{folder}/none/r.json"))
            gate = ["compare", "--base", PROGRAM, "--head", PROGRAM, "--dry-run"]
            for option in "--json", "--junit", "--markdown":
                self.assertEqual(self.one_sentence(*gate, option, folder), f"tuneproof: {folder}: is a folder, not a file\n")
            self.assertEqual(call(*dry, f"{folder}/r.json").returncode, 0)
            self.assertEqual(os.listdir(folder), [])

    def test_a_value_of_any_length_is_refused_in_a_sentence_that_can_be_read(self):
        for option in "--suite", "--threads", "--" + "x" * 100_000:
            self.assertLess(len(self.one_sentence("run", option, "9" * 100_000)), 2100)
        said = self.one_sentence("simulate", "sync/item_every_step", "--gpu", "a30", "--host", "9" * 100_000)
        self.assertRegex(said, r": File name too long$")
        self.assertIn("has more than 500 characters", self.one_sentence("versus", "true", "true", "--metric-from", "(" * 100_000))

    def test_a_name_that_is_not_UTF_8_is_refused_where_JSON_has_to_hold_it(self):
        self.assertIn("is not UTF-8", self.one_sentence("watch", "-o", b"\xff", "--", "true"))

    def test_a_value_that_is_none_comes_with_those_that_are(self):
        for option, value, expected in [("--suite", "fast", "quick, claims or full"), ("--threads", "0", "a number from 1 to 4096")]:
            self.assertEqual(self.one_sentence("run", option, value),
                             f"tuneproof: {option} '{value}': expected {expected}; see tuneproof run --help\n")


class Output(unittest.TestCase):
    def test_a_reader_that_leaves_early_ends_it_quietly(self):
        said = subprocess.run(["bash", "-c", 'for i in 1 2 3 4 5; do "$0" list | head -1; done', PROGRAM],
                              capture_output=True, text=True, timeout=60, env=PLAIN)
        self.assertEqual(said.stderr, "")
        self.assertTrue(said.stdout.startswith("STEP"))

    def test_a_full_disk_is_told(self):
        with open("/dev/full", "w") as full:
            said = subprocess.run([PROGRAM, "list"], stdout=full, stderr=subprocess.PIPE, text=True, env=PLAIN)
        self.assertEqual(said.returncode, 1)
        self.assertRegex(said.stderr, r"^tuneproof: .* writ.*\n$")

    def test_closed_standard_streams_end_it_with_1_and_not_by_a_signal(self):
        for closed in ["run nosuch 2>&-", "list >&-", "list <&- >&- 2>&-"]:
            said = subprocess.run(["bash", "-c", f'"$0" {closed}', PROGRAM], capture_output=True, timeout=60, env=PLAIN)
            self.assertEqual(said.returncode, 1, closed)
        said = subprocess.run(["bash", "-c", '"$0" list <&- 2>&-', PROGRAM], capture_output=True, text=True, timeout=60, env=PLAIN)
        self.assertEqual(said.returncode, 0)
        self.assertTrue(said.stdout.startswith("STEP"))

    def test_colour_only_on_a_terminal_and_not_with_NO_COLOR(self):
        self.assertNotIn("\x1b", call("list").stdout)
        self.assertIn("\x1b[1m", on_terminal("list"))
        self.assertNotIn("\x1b", on_terminal("list", NO_COLOR="1"))
        self.assertNotIn("\x1b", on_terminal("list", TERM="dumb"))

    def test_what_stands_below_the_options_is_folded_too(self):
        for command in COMMANDS:
            # Commands stay on a line each, to be copied; so does the example of diagnose, a table of 100 columns.
            told = call(*command, "--help", COLUMNS="60").stdout.split("ResNet-50 on a V100,")[0]
            for line in told.splitlines():
                if not re.match(r"Usage: |  (\S+=\S+ )*[a-z]\S*( \S+)*$| {4}--", line):
                    self.assertLessEqual(len(line), 60, (command, line))

    def test_headings_and_prose_of_a_diagnosis_and_of_the_doctor_are_folded_too(self):
        trace = PROJECT / "docs/learn/traces/loop.json"
        told = call("diagnose", trace, COLUMNS="60").stdout + call("doctor", COLUMNS="60").stdout
        of_python = " " * 12  # its lines are to be copied; a table has figures in columns
        for line in told.splitlines():
            in_columns = re.search(r"\S {2,}\S.* {2,}\S|\d +\d+$", line.removeprefix("  "))
            if " " in line.strip() and not in_columns and not line.startswith(of_python):
                self.assertLessEqual(len(line), 60, line)

    def test_bars_of_a_diagnosis_and_pages_that_were_found_fit_60_columns(self):
        bars = [line for line in call("diagnose", PROJECT / "docs/learn/traces/training.json", COLUMNS="60").stdout.splitlines()
                if line.endswith("#")]
        self.assertTrue(bars)
        found = call("explain", "why is my GPU idle", COLUMNS="60").stdout.splitlines()
        for page in ["transfer/write_combined", "sync/item_every_step", "launch/cost", "topics", "sync"]:
            said = call("explain", page, COLUMNS="60").stdout
            said = re.sub(r"(?ms)^3\. In Python.*^5\. ", "", said)  # code stays as it is, to be read and copied
            found += [line for line in said.splitlines() if "https://" not in line]
        for line in bars + found:
            self.assertLessEqual(len(line), 60, line)

    def test_COLUMNS_is_respected_and_100_is_the_default(self):
        def widest(**environment):
            return max(len(line) for line in call("list", **environment).stdout.splitlines())
        self.assertLessEqual(widest(), 100)
        self.assertLessEqual(widest(COLUMNS="80"), 80)
        self.assertLessEqual(widest(COLUMNS="60"), 60)
        self.assertGreater(widest(COLUMNS="200"), 100)
        narrow = " ".join(call("list", COLUMNS="60").stdout.split())
        for step in json.loads(call("list", "--json").stdout)["steps"]:
            self.assertIn(step["claim"], narrow)  # whole, below its step
        for command in [["--help"], ["run", "--help"]]:
            for line in call(*command, COLUMNS="80").stdout.split("Examples:")[0].splitlines():
                self.assertLessEqual(len(line), 80, line)


class Pages(unittest.TestCase):
    def test_list_json_holds_what_list_shows(self):
        steps = json.loads(call("list", "--json").stdout)["steps"]
        shown = call("list").stdout
        for step in steps:
            self.assertIn(step["id"], shown)
            self.assertTrue(step["rows"])

    def test_a_table_that_the_list_cannot_print_is_refused_in_one_sentence(self):
        for arguments in [["--json"], ["--claims"], ["--refused"], ["--planned"], ["--refused", "--json"]]:
            with self.subTest(arguments):
                said = call("list", "--markdown", *arguments)
                self.assertEqual((said.returncode, said.stdout), (1, ""))
                self.assertRegex(said.stderr, r"\Atuneproof: .*--markdown.*\n\Z")

    def test_a_pattern_limits_the_list(self):
        steps = json.loads(call("list", "--json", "sync/*").stdout)["steps"]
        self.assertTrue(steps)
        self.assertTrue(all(step["id"].startswith("sync/") for step in steps))

    def test_a_folder_is_a_pattern(self):
        self.assertEqual(call("list", "sync", "--json").stdout, call("list", "sync/*", "--json").stdout)
        said = [call("run", pattern, "--device", "cpu", "--dry-run") for pattern in ("loop", "loop/*")]
        self.assertEqual([each.returncode for each in said], [0, 0])
        self.assertEqual(said[0].stdout, said[1].stdout)

    def test_the_list_has_a_line_a_step_and_says_which_run_by_name_only(self):
        steps = json.loads(call("list", "--json").stdout)["steps"]
        lines = call("list", COLUMNS="100").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:len(steps) + 1]], [step["id"] for step in steps])
        self.assertLessEqual(max(map(len, lines)), 100)
        for step, line in zip(steps, lines[1:]):
            self.assertEqual("by name" in line, not any(row["full"] for row in step["rows"]), line)
        self.assertGreater(len(call("list", "--long").stdout.splitlines()), 2 * len(steps))

    def test_a_short_budget_takes_rows_that_fit_and_says_which_it_left(self):
        said = call("run", "--suite", "quick", "--device", "cpu", "--budget", "5s", "--dry-run")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertRegex(said.stderr, r"\Atuneproof: the budget of 5s has time for \d+ of \d+ rows, .*left out: \S")
        self.assertIn("skipped: the budget of 5s has no time for it", said.stdout)
        self.assertRegex(said.stdout, r"at most about [1-5] s\n\Z")

    def test_every_step_can_be_explained_with_lesson_and_code_of_both_forms(self):
        for step in json.loads(call("list", "--json").stdout)["steps"]:
            with self.subTest(step["id"]):
                page = json.loads(call("explain", step["id"], "--json").stdout)
                self.assertTrue(page["lesson"])
                self.assertTrue(page["file"])
                self.assertTrue(page["code"])
                for part in page["code"]:
                    self.assertGreaterEqual(part["last_line"], part["first_line"])

    def test_the_code_on_the_page_is_that_of_its_file(self):
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        for step in json.loads(call("list", "--json").stdout)["steps"]:
            for part in json.loads(call("explain", step["id"], "--json").stdout)["code"]:
                with open(os.path.join(root, part["file"])) as file:
                    lines = file.read().splitlines()[part["first_line"] - 1:part["last_line"]]
                lines = textwrap.dedent("\n".join(lines)).splitlines()  # an entry of a table stands at the margin
                shown = part["text"].splitlines()
                self.assertEqual((shown[0], shown[-1]), (lines[0], lines[-1]))
                self.assertLessEqual(set(shown), {*lines, "", "..."})

    def test_every_page_of_docs_topics_is_a_topic_that_names_steps_that_are_there(self):
        steps = {step["id"] for step in json.loads(call("list", "--json").stdout)["steps"]}
        topics = json.loads(call("explain", "topics", "--json").stdout)["topics"]
        files = sorted((PROJECT / "docs/topics").iterdir())
        self.assertEqual([f"docs/{topic['name'].replace('topic/', 'topics/')}.txt" for topic in topics],
                         [file.relative_to(PROJECT).as_posix() for file in files])
        for topic, file in zip(topics, files):
            with self.subTest(topic["name"]):
                self.assertLessEqual(set(topic["steps"]), steps)
                self.assertEqual(call("explain", topic["name"]).stdout, file.read_text())
                page = json.loads(call("explain", topic["name"], "--json").stdout)
                self.assertEqual((page["text"], page["steps"]), (file.read_text(), topic["steps"]))
                self.assertTrue(page["sources"])

    def test_topics_are_listed_by_explain_its_help_and_the_end_of_the_list(self):
        listed, told = call("explain", "topics").stdout, call("explain", "--help").stdout
        for topic in json.loads(call("explain", "topics", "--json").stdout)["topics"]:
            self.assertIn(topic["name"], listed)
            self.assertIn(topic["name"], told)
        self.assertIn("explain topics", call("list").stdout)

    def test_the_doctor_tells_what_it_looked_at(self):
        said = call("doctor", "--json")
        checks = json.loads(said.stdout)
        self.assertEqual(said.returncode, 0 if checks["usable"] else 1)
        names = [check["check"] for check in checks["checks"]]
        for name in ["cpu", "load", "memory", "libtorch", "cuda device", "driver"]:
            self.assertIn(name, names)


class QuickSuite(unittest.TestCase):
    def test_it_has_40_rows_at_most_with_and_without_a_GPU(self):
        steps = json.loads(call("list", "--json").stdout)["steps"]
        rows = [(step["runs"], row) for step in steps for row in step["rows"] if row["quick"]]
        with_gpu = [row for runs, row in rows if row["device"] == "cuda" or runs != "session"]
        without = [row for _, row in rows if row["device"] == "cpu"]
        self.assertLessEqual(len(with_gpu), 40, "give a new step .suite = Suite::full, or another has to leave the quick suite")
        self.assertGreater(len(without), 10)
        self.assertLessEqual(sum(row["seconds"] for row in without), 180)


class Claims(unittest.TestCase):
    """What became of the published claims, and docs/claims.md, which has them all."""

    @classmethod
    def setUpClass(cls):
        cls.claims = json.loads(call("list", "--claims", "--json").stdout)["claims"]
        cls.steps = {step["id"] for step in json.loads(call("list", "--json").stdout)["steps"]}

    def test_each_of_the_191_published_claims_has_exactly_one_fate(self):
        published = re.findall(r"(?m)^\| `([a-z0-9-]+)` \|", (PROJECT / "docs/claims.md").read_text())
        self.assertEqual(len(published), 191)
        self.assertEqual(sorted(claim["id"] for claim in self.claims), sorted(published))

    def test_the_page_of_questions_names_steps_that_there_are_and_counts_what_is_answered(self):
        page = (PROJECT / "docs/questions.md").read_text()
        rows = re.findall(r"(?m)^\| (?!\*\*|question |---)(.+) \| (.+) \| (.+) \|$", page)
        answered = [answer for *_, answer in rows if not answer.startswith("no row")]
        self.assertIn(f"{len(rows)} questions from", page)
        self.assertIn(f"a finding decides {len(answered)} of them", page)
        self.assertIn(f"of the other {len(rows) - len(answered)} this page", page)
        self.assertEqual(set(re.findall(r"`([a-z0-9]+/[a-z0-9_]+)`", page)) - self.steps, set())

    def page(self, *arguments):
        command = [sys.executable, "-B", PROJECT / "scripts/claims_page.py", PROGRAM, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    def test_the_page_of_claims_says_what_the_program_says(self):
        said = self.page("--check")
        self.assertEqual((said.returncode, said.stderr), (0, ""))

    def test_a_page_of_claims_that_says_something_else_is_found_and_mended(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "claims.md"
            right = (PROJECT / "docs/claims.md").read_text()
            copy.write_text(re.sub(r"(\| `xfer-pinned-h2d` .*\|)[^|\n]*\|", r"\1 planned: some day |", right))
            self.assertNotEqual(copy.read_text(), right)
            self.assertEqual(self.page("--check", "--page", copy).returncode, 1)
            self.assertEqual(self.page("--page", copy).returncode, 0)
            self.assertEqual(copy.read_text(), right)

    def test_a_page_of_claims_that_lacks_one_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "claims.md"
            copy.write_text(re.sub(r"(?m)^\| `xfer-pinned-h2d` .*\n", "", (PROJECT / "docs/claims.md").read_text()))
            said = self.page("--page", copy)
            self.assertEqual(said.returncode, 1)
            self.assertIn("xfer-pinned-h2d", said.stderr)

    def test_each_claim_says_where_it_is_or_why_it_is_not(self):
        for claim in self.claims:
            with self.subTest(claim["id"]):
                self.assertIn(claim["fate"], ["step", "finding", "refused", "planned"])
                self.assertGreater(len(claim["what"]), 8)

    def test_the_steps_and_findings_that_claims_name_are_there(self):
        findings = (PROJECT / "docs/diagnose.md").read_text()
        example = (PROJECT / "docs/example_diagnosis.txt").read_text()
        folders = "|".join(sorted({step.split("/")[0] for step in self.steps}))
        for claim in self.claims:
            with self.subTest(claim["id"]):
                for step in re.findall(rf"\b(?:{folders})/[a-z0-9_]+(?![a-z0-9_*])", claim["what"]):
                    if claim["fate"] != "planned" or not step.startswith("stgym/"):
                        self.assertIn(step, self.steps)
                if found := re.fullmatch(r"diagnose: ([a-z_]+)", claim["what"]):
                    self.assertRegex(findings, rf"\b{found[1]}\b")
                if found := re.match(r"diagnose: ([A-Z][A-Z ]+[A-Z])", claim["what"]):
                    self.assertRegex(example, rf"(?m)^ ?{found[1]}\b")
                if claim["fate"] == "finding":
                    for command in re.split(r" and ", claim["what"].split(":")[0]):
                        self.assertIn(command, ["diagnose", "profile", "prices", "run"])

    def test_refused_and_planned_show_their_part(self):
        for fate in ["refused", "planned"]:
            said = call("list", f"--{fate}").stdout
            for claim in self.claims:
                self.assertEqual(f"\n{claim['id']} " in "\n" + said, claim["fate"] == fate, claim["id"])

    def test_the_table_of_steps_is_what_list_prints(self):
        done = subprocess.run([PROJECT / "scripts/steps_page.py", PROGRAM, "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_page_of_steps_that_lacks_one_is_found_and_mended(self):
        whole = (PROJECT / "docs/steps.md").read_text()
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "steps.md"
            page.write_text(re.sub(r"\| transfer/pinned_h2d .*\n", "", whole))
            script = [PROJECT / "scripts/steps_page.py", PROGRAM, "--page", page]
            checked = subprocess.run([*script, "--check"], capture_output=True, text=True)
            self.assertEqual(checked.returncode, 1)
            self.assertIn("run scripts/steps_page.py", checked.stderr)
            subprocess.run(script, check=True)
            self.assertEqual(page.read_text(), whole)


class WithoutWorker(unittest.TestCase):
    """The light program alone, as where LibTorch is missing."""

    def setUp(self):
        import shutil
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.program = shutil.copy(PROGRAM, self.folder)

    def alone(self, *arguments):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, timeout=60, env=PLAIN)

    def test_list_explain_and_help_work_without_the_worker(self):
        for arguments in [["list"], ["explain", "sync/item_every_step"], ["--help"], ["--version"]]:
            self.assertEqual(self.alone(*arguments).returncode, 0, arguments)

    def test_the_doctor_says_that_the_worker_is_missing(self):
        self.assertEqual(self.alone("doctor").returncode, 1)
        checks = {check["check"]: check for check in json.loads(self.alone("doctor", "--json").stdout)["checks"]}
        self.assertEqual(checks["libtorch"]["fitness"], "BAD")
        self.assertIn("tuneproof-worker", checks["libtorch"]["value"])

    def test_the_program_needs_no_library_of_LibTorch_or_CUDA(self):
        lines = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True).stdout.splitlines()
        # The first word only: paths hold names of folders, and addresses can hold "c10".
        needed = [line.split()[0] for line in lines]
        self.assertTrue(any(name.startswith("libc.so") for name in needed), needed)
        for name in needed:
            self.assertNotRegex(name, "torch|c10|cuda|cublas")


if __name__ == "__main__":
    unittest.main()
