"""`tuneproof compare`, `export` and `history` from outside. Usage: compare.test.py TUNEPROOF PROJECT"""

import copy
import csv
import gzip
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from memory_limit import MEMORY, limited

PROGRAM, PROJECT = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
RESULTS = PROJECT / "results" / "cpu-amd-epyc-2-cores" / "2026-11-21-9756841.json.gz"


def call(*arguments, memory=None, **environment):
    kept = {key: value for key, value in os.environ.items()
            if key not in ("NO_COLOR", "COLUMNS", "GITHUB_STEP_SUMMARY")}
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          env=kept | environment, preexec_fn=limited(PROGRAM, memory))


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.base = json.loads(gzip.decompress(RESULTS.read_bytes()))

    def file(self, content, name="new.json"):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def changed(self, change, name="new.json"):
        content = copy.deepcopy(self.base)
        change(content["tuneproof"])
        return self.file(content, name)

    def refused(self, arguments, sentence, code=1):
        said = call(*arguments)
        self.assertEqual((said.returncode, said.stdout), (code, ""), said)
        self.assertIn(sentence, said.stderr)
        return said


def slower(block):
    """The first row's optimized form takes twice the time."""
    pair = block["pairs"][0]
    samples = pair["samples"]
    samples["t_ns"] = [t * 2 if form else t for t, form in zip(samples["t_ns"], samples["variant"])]
    pair["round_log_ratios"] = [d + math.log(2) for d in pair["round_log_ratios"]]
    for figure in ["optimized_ns", "ratio"]:
        pair["result"][figure] *= 2


def more_calls(block):
    figures = next(pair["figures"] for pair in block["pairs"] if pair["id"].startswith("stgym/no_item"))
    next(figure for figure in figures if figure["unit"] == "calls")["naive"] += 7


class Compare(Files):
    def test_wrong_use_leaves_a_red_report(self):
        junit = self.folder / "r.xml"
        for words, sentence in [([], "takes two files"), (["none.json", "none.json"], "none.json"),
                                (["a", "b", "--gbench", "--delta", "0"], "--delta"),
                                (["--base", "none", "--head", "none"], "none")]:
            with self.subTest(words=words):
                junit.write_text("<testsuites/>")  # of an earlier job
                self.assertEqual(call("compare", *words, "--junit", junit).returncode, 1)
                self.assertIn(sentence, xml.etree.ElementTree.parse(junit).getroot().find(".//error").get("message"))

    def test_a_summary_that_cannot_be_written_is_told_in_the_report(self):
        junit = self.folder / "r.xml"
        base = self.file(self.base)
        done = call("compare", base, base, "--junit", junit, "--markdown", self.folder / "r.md",
                    GITHUB_STEP_SUMMARY=str(self.folder))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("$GITHUB_STEP_SUMMARY names it", xml.etree.ElementTree.parse(junit).getroot().find(".//error").get("message"))

    def test_a_file_against_itself_exits_with_0(self):
        said = call("compare", RESULTS, RESULTS)
        self.assertIn("note: BASE and NEW are one session, so nothing can have changed between them", said.stdout)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("27 rows:", said.stdout)
        self.assertNotIn("slower", said.stdout)

    def test_a_slower_row_is_advice(self):
        said = call("compare", RESULTS, self.changed(slower))
        self.assertEqual(said.returncode, 0)
        self.assertRegex(said.stdout, r"sync/item_every_step/n:128/device:cpu .* \+100 % .* slower")
        self.assertRegex(said.stdout, r"\nPASSED: .*1 row slower \(only advice: --strict fails\)\n$")
        junit = self.folder / "r.xml"
        said = call("compare", RESULTS, self.changed(slower), "--strict", "--junit", junit)
        self.assertEqual(said.returncode, 2)
        self.assertIn("\nFAILED: 1 row slower", said.stdout)
        failures = xml.etree.ElementTree.parse(junit).getroot().findall(".//failure")
        self.assertEqual([failure.get("type") for failure in failures], ["slower"])

    def test_a_reader_that_has_left_changes_neither_the_exit_code_nor_the_report(self):
        junit = self.folder / "r.xml"
        reading, writing = os.pipe()
        os.close(reading)
        said = subprocess.run([PROGRAM, "compare", RESULTS, self.changed(slower), "--strict", "--junit", junit], stdout=writing,
                              stderr=subprocess.PIPE, text=True, timeout=120)
        os.close(writing)
        self.assertEqual((said.returncode, said.stderr.count("could not be written")), (2, 0), said.stderr)
        self.assertIsNotNone(xml.etree.ElementTree.parse(junit).getroot().find(".//failure"))

    def test_a_count_that_rose_exits_with_2_and_names_row_and_counts(self):
        said = call("compare", RESULTS, self.changed(more_calls))
        self.assertEqual(said.returncode, 2)
        self.assertRegex(said.stdout, r"stgym/no_item[^|]*MORE: ATen operators per step \(first side\):\s+5,363 -> 5,370 \(\+0\.1 %\)")

    def test_another_machine_exits_with_3_and_says_what_differs(self):
        def other(block):
            block["fingerprint"]["hard"]["machine"]["cpu_model"] = "Another"
        file = self.changed(other)
        junit, page = self.folder / "r.xml", self.folder / "r.md"
        junit.write_text("of another run")
        reports = ["--junit", junit, "--markdown", page, "--annotations"]
        said = self.refused(["compare", RESULTS, file, *reports], "machine.cpu_model: AMD EPYC -> Another", code=3)
        reason = "REFUSED: machine.cpu_model differs: AMD EPYC -> Another"
        suite = xml.etree.ElementTree.parse(junit).getroot().find("testsuite")
        self.assertEqual((suite.get("tests"), suite.get("errors")), ("1", "1"))
        self.assertEqual(suite.find("testcase/error").get("message"), reason)
        self.assertRegex(page.read_text(), r"^### tuneproof compare [^\n]+\n\n\n\*\*REFUSED: machine\.cpu")
        self.assertIn("::error::" + reason, said.stderr)
        said = call("compare", RESULTS, file, "--allow-mismatch")
        self.assertEqual(said.returncode, 0)
        self.assertIn("27 rows: 15 cannot tell, 12 skipped", said.stdout)

    def test_another_LibTorch_is_a_treatment_where_it_was_named(self):
        def other(block):
            block["fingerprint"]["hard"]["software"]["libtorch"] = "2.12.0"
        file = self.changed(other)
        said = self.refused(["compare", RESULTS, file], "software.libtorch: 2.11.0 -> 2.12.0", code=3)
        self.assertNotIn("No --across", said.stderr)
        said = call("compare", RESULTS, file, "--across", "libtorch")
        self.assertEqual(said.returncode, 0)
        self.assertIn("the treatment: software.libtorch 2.11.0 -> 2.12.0", said.stdout)

    def test_a_row_that_vanished_is_listed_and_fails_unless_that_is_allowed(self):
        def without(block):
            block["pairs"] = block["pairs"][1:]
        file = self.changed(without)
        said = call("compare", RESULTS, file)
        self.assertEqual(said.returncode, 4)
        self.assertIn("Missing in NEW\n  sync/item_every_step/n:128/device:cpu\n", said.stdout)
        self.assertTrue(said.stdout.endswith("\nFAILED: 1 row missing\n"), said.stdout)
        self.assertEqual(call("compare", RESULTS, file, "--allow-missing").returncode, 0)
        self.assertIn("New in NEW", call("compare", file, RESULTS).stdout)

    def test_JUnit_Markdown_and_annotations(self):
        junit, markdown, summary = (self.folder / name for name in ["r.xml", "r.md", "summary.md"])
        summary.write_text("before\n")
        said = call("compare", RESULTS, self.changed(more_calls), "--junit", junit, "--markdown", markdown,
                    "--annotations", GITHUB_STEP_SUMMARY=str(summary))
        self.assertEqual(said.returncode, 2)
        suite = xml.etree.ElementTree.parse(junit).getroot().find("testsuite")
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("27", "1"))
        failed = [case for case in suite if case.find("failure") is not None]
        self.assertIn("5,363 -> 5,370", failed[0].find("failure").get("message"))
        self.assertTrue(markdown.read_text().startswith("### tuneproof compare"))
        self.assertEqual(summary.read_text(), "before\n" + markdown.read_text())
        self.assertRegex(said.stderr, r"(?m)^::error title=stgym/no_item/against%3Abelow")

    def test_a_summary_that_is_a_pipe_is_not_waited_for(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        words = "compare", RESULTS, RESULTS, "--markdown", self.folder / "r.md"
        said = call(*words, GITHUB_STEP_SUMMARY=str(pipe))
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertIn("pipe: cannot be written: No such device or address; $GITHUB_STEP_SUMMARY names it", said.stderr)
        self.assertEqual(call(*words, GITHUB_STEP_SUMMARY="/dev/null").returncode, 0)

    def test_a_report_that_cannot_be_written_is_one_sentence(self):
        said = call("compare", RESULTS, RESULTS, "--junit", self.folder / "none" / "r.xml")
        self.assertEqual(said.returncode, 1)
        self.assertRegex(said.stderr, r"^tuneproof: .*r\.xml: cannot be written: No such file or directory\n$")

    def test_wrong_use(self):
        self.refused(["compare", RESULTS], "compare --help")
        self.refused(["compare", RESULTS, RESULTS, "--accross", "cuda"], "did you mean '--across'?")
        self.refused(["compare", RESULTS, RESULTS, "--across", "glibc"], "one of driver, libtorch, cuda, compiler or flags")
        self.refused(["compare", RESULTS, self.folder / "none.json"], "none.json: cannot be read: No such file")
        self.refused(["compare", RESULTS, self.folder], "not a file")
        self.refused(["compare", self.file('{"context": {}, "benchmarks": []}'), RESULTS], "--gbench")
        self.refused(["compare", "--gbench", RESULTS, RESULTS, "--delta", "0"], "--delta")

    def test_our_own_files_are_Google_Benchmark_files_too(self):
        said = call("compare", "--gbench", RESULTS, RESULTS)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("30 rows:", said.stdout)
        self.assertIn("within 15 %", call("compare", "--gbench", RESULTS, RESULTS, "--delta", "15%").stdout)

    def test_files_that_have_no_row_in_common_have_compared_nothing(self):
        def skipped(block):
            block["pairs"] = []
        empty = self.changed(skipped)
        said = call("compare", empty, empty)
        self.assertEqual(said.returncode, 4)
        self.assertTrue(said.stdout.endswith("NOT DECIDED: no row was compared\n"), said.stdout)

    def test_no_text_of_a_file_reaches_the_terminal_as_it_is(self):
        hidden = "\x1b[2J\x9b\u202e"
        def odd(block):
            block["fingerprint"]["hard"]["machine"]["cpu_model"] += hidden
            block["fingerprint"]["soft"]["kernel"] = hidden
            for error in block["errors"]:
                error["message"] += hidden
        junit, markdown = self.folder / "r.xml", self.folder / "r.md"
        file = self.changed(odd)
        said = [call("compare", RESULTS, file), call("compare", RESULTS, file, "--allow-mismatch", "--junit", junit,
                                                     "--markdown", markdown, "--annotations")]
        for text in [one.stdout + one.stderr for one in said] + [junit.read_text(), markdown.read_text()]:
            self.assertFalse(set(hidden[:1] + hidden[4:]) & set(text))


class HostileInput(Files):
    def one_sentence(self, file):
        for arguments in (["compare", RESULTS, file], ["compare", "--gbench", file, file], ["export", "csv", file],
                          ["history", "add", file, "--db", self.folder / "h.sqlite"]):
            said = call(*arguments, memory=MEMORY)
            self.assertEqual((said.returncode, said.stdout), (1, ""), (arguments, said))
            self.assertRegex(said.stderr, r"^tuneproof: [^\n]{1,600}\n$", arguments)

    def test_text_that_is_no_results_file(self):
        whole = gzip.decompress(RESULTS.read_bytes()).decode()
        for name, text in {"empty": "", "cut": whole[:len(whole) // 2], "deep": "[" * 200 + "]" * 200,
                           "deeper": '{"a":' * 1_000_000, "nan": '{"tuneproof": NaN}', "huge": '{"x": 1e999}',
                           "type": '{"tuneproof": [], "benchmarks": {}}', "list": "[]", "binary": "\0\1\2",
                           "token": '["' + "x" * 1_000_000}.items():
            with self.subTest(name):
                self.one_sentence(self.file(text))

    def test_doubled_members_and_a_newer_schema(self):
        text = json.dumps(self.base)
        doubled = text.replace('"tuneproof": {', '"tuneproof": {}, "tuneproof": {', 1)
        doubled = doubled.replace('"benchmarks": [', '"benchmarks": [], "benchmarks": [', 1)
        self.one_sentence(self.file(doubled))
        def newer(block):
            block["schema_version"]["major"] = 2
        self.refused(["export", "bmf", self.changed(newer)], "newer tuneproof wrote this file (2")

    def test_a_gigabyte_is_refused_at_once(self):
        file = self.folder / "large.json"
        with file.open("wb") as out:
            out.truncate(1 << 30)
        self.one_sentence(file)

    def test_what_fills_the_memory_fastest_stays_below_the_limit(self):
        file = self.folder / "dense.json"
        file.write_text("[" + "[]," * (20 << 20) + "[]]")
        self.one_sentence(file)


class Export(Files):
    def test_every_format_is_what_its_reader_expects(self):
        bmf = json.loads(call("export", "bmf", RESULTS).stdout)
        self.assertEqual(len(bmf), 30)
        self.assertLess(bmf["sync/item_every_step/n:128/device:cpu/variant:naive"]["latency"]["lower_value"], 362746.25)
        gha = json.loads(call("export", "gha", RESULTS).stdout)
        self.assertEqual({"name", "unit", "value", "range", "extra"}, set(gha[0]))
        rows = list(csv.DictReader(call("export", "csv", RESULTS).stdout.splitlines()))
        self.assertEqual((len(rows), rows[0]["verdict"]), (15, "same"))
        suite = xml.etree.ElementTree.fromstring(call("export", "junit", RESULTS).stdout.encode())[0]
        self.assertEqual(suite.get("tests"), "27")
        self.assertIn("| row | before | after | change | verdict | notes |", call("export", "markdown", RESULTS).stdout)

    def test_rows_of_old_files_have_the_names_that_their_sides_have_today(self):
        self.assertNotIn("sides", self.base["tuneproof"]["pairs"][0])
        for kind in ["markdown", "junit", "gha"]:
            said = call("export", kind, RESULTS).stdout
            self.assertNotRegex(said, r"naive -\S+ optimized")
            self.assertRegex(said, r"no workers -(\\?>|&gt;) workers")

    def test_an_unknown_format_names_the_known_ones(self):
        self.refused(["export", "bmx", RESULTS], "expected one of bmf, gha, csv, junit, markdown or tensorboard")


    def test_event_files_are_written_beside_each_other_or_not_at_all(self):
        events = self.folder / "events"
        self.refused(["export", "tensorboard", RESULTS, self.file("{}"), "-o", events], "")
        self.assertFalse(events.exists())
        self.assertEqual(call("export", "tensorboard", RESULTS, "-o", events).returncode, 0)
        self.assertEqual([path.name for path in events.glob("*/*")], ["events.out.tfevents.tuneproof"])

    def test_what_only_event_files_take_is_refused_elsewhere(self):
        self.refused(["export", "tensorboard", RESULTS], "give -o FOLDER")
        self.refused(["export", "csv", RESULTS, "-o", self.folder / "x"], "-o is for tensorboard")
        self.refused(["export", "csv", RESULTS, RESULTS], "only tensorboard takes several")
        self.refused(["export", "tensorboard", RESULTS, "-o", RESULTS], "")


# To SQLite: what is added there is gone with the program.
NO_FILES = (":memory:", "file:h?mode=memory", "file:h.sqlite")


class History(Files):
    def setUp(self):
        super().setUp()
        self.database = self.folder / "h.sqlite"

    def session(self, number, factor):
        def change(block):
            block["session"].update(id=f"s{number}", started=f"2026-01-{number:02}T00:00:00+00:00",
                                    git={"head": f"c{number}", "dirty": False})
            block["pairs"][0]["result"]["optimized_ns"] *= factor * (1 + 0.001 * (number % 3))
            block["pairs"][0]["result"]["ratio"] *= factor
        return self.changed(change, f"{number}.json")

    def test_a_row_that_moved_is_named_with_its_commits_and_exits_with_0(self):
        files = [self.session(number, 1 if number <= 10 else 1.1) for number in range(1, 21)]
        added = call("history", "add", *files, "--db", self.database)
        self.assertEqual((added.returncode, added.stderr), (0, ""))
        self.assertIn("h.sqlite: 20 sessions", added.stdout)
        said = call("history", "check", "--db", self.database)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("sync/item_every_step/n:128/device:cpu  +10.0 % slower", said.stdout)
        self.assertRegex(said.stdout, r"since c11 \(2026-01-11.*before it c10")
        self.assertIn("20 sessions, 15 rows: 1 moved", said.stdout)

    def test_the_same_file_is_added_once(self):
        first = call("history", "add", RESULTS, "--db", self.database)
        self.assertRegex(first.stdout, r"15 of \d+ rows; the others have no time or value")
        said = call("history", "add", RESULTS, "--db", self.database)
        self.assertIn("is in the history already", said.stdout)
        self.assertIn("1 session, 15 rows: too few sessions", call("history", "check", "--db", self.database).stdout)

    def test_one_bad_file_among_good_ones_adds_nothing(self):
        said = call("history", "add", RESULTS, self.file("{}"), "--db", self.database)
        self.assertEqual(said.returncode, 1)
        self.assertFalse(self.database.exists())

    def test_a_history_that_cannot_be_used_is_one_sentence(self):
        for arguments in (["check", "--db", self.database], ["check", "--db", RESULTS], ["add", RESULTS, "--db", RESULTS],
                          ["add", RESULTS, "--db", self.folder], ["add", RESULTS, "--db", "/proc/none/h.sqlite"],
                          *(["add", RESULTS, "--db", no_file] for no_file in NO_FILES)):
            said = call("history", *arguments)
            self.assertEqual(said.returncode, 1, arguments)
            self.assertRegex(said.stderr, r"^tuneproof: [^\n]+\n$")
            if arguments[-1] in NO_FILES:
                self.assertIn("a history is kept in a file; name one", said.stderr)
        self.refused(["history"], "history --help")

    def test_two_jobs_may_add_at_once(self):
        files = [self.session(number, 1) for number in range(1, 9)]
        jobs = [subprocess.Popen([PROGRAM, "history", "add", file, "--db", self.database], stdout=subprocess.DEVNULL)
                for file in files]
        self.assertEqual([job.wait(60) for job in jobs], [0] * 8)
        self.assertIn("8 sessions", call("history", "check", "--db", self.database).stdout)


if __name__ == "__main__":
    unittest.main()
