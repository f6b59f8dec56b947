"""`tuneproof report` from outside, without a browser. Usage: report.test.py TUNEPROOF PROJECT"""

import gzip
import html
import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PROJECT = str(pathlib.Path(sys.argv.pop(1)).resolve()), pathlib.Path(sys.argv.pop(1)).resolve()
MACHINE = PROJECT / "results/cpu-amd-epyc-2-cores"
RUN, OLD = MACHINE / "2026-11-21-1697d9f.json.gz", MACHINE / "2026-11-21-9756841.json.gz"
PRICES, SELFTEST = max(MACHINE.glob("prices-*.json")), MACHINE / "selftest-2026-11-21-67d9b7a.json.gz"
TRACE = PROJECT / "tests/golden/optable/cpu_mlp.trace.json.gz"


def report(*arguments, **environment):
    return subprocess.run([PROGRAM, "report", *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          env={**os.environ, **environment})


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.page = self.folder / "page.html"

    def written(self, *arguments):
        said = report(*arguments, "-o", self.page)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertRegex(said.stdout, rf"\A{re.escape(str(self.page))}: written, [0-9.]+ [kM]B\n\Z")
        return data_of(self.page.read_text())

    def refused(self, *arguments, **environment):
        """Refused in one sentence, and a page that was there is left alone."""
        self.page.write_text("old")
        said = report(*arguments, **environment)
        self.assertEqual((said.returncode, said.stdout), (1, ""), said)
        self.assertRegex(said.stderr, r"\Atuneproof: [^\n]+\n\Z")
        self.assertEqual(self.page.read_text(), "old")
        self.assertEqual(sorted(path.name for path in self.folder.glob(".*")), [])
        return said.stderr

    def changed(self, change, name="changed.json"):
        content = json.loads(gzip.decompress(RUN.read_bytes()))
        del content["tuneproof"]["session"]["rows"]  # the plan: rows may then have other names
        change(content["tuneproof"])
        path = self.folder / name
        path.write_text(json.dumps(content))
        return path

    def test_help_has_examples(self):
        said = report("--help")
        self.assertEqual(said.returncode, 0)
        self.assertIn("tuneproof report results.json -o report.html --open", said.stdout)

    def test_everything_that_was_measured_is_on_the_page(self):
        data = self.written(RUN, PRICES, SELFTEST, "--trace", TRACE)
        block = json.loads(gzip.decompress(RUN.read_bytes()))["tuneproof"]
        rows = data["runs"][0]["rows"]
        self.assertEqual([row["name"] for row in rows], block["session"]["rows"])
        self.assertEqual(len([row for row in rows if row["name"] == block["pairs"][0]["id"]][0]["logs"]),
                         len(block["pairs"][0]["round_log_ratios"]))
        self.assertGreater(len(data["prices"][0]["curves"]), 4)
        self.assertEqual(data["self_tests"][0]["test"]["proves"]["grade"], "B")
        self.assertEqual(data["traces"][0]["traces"][0]["file"], TRACE.name)

    def test_what_a_GPU_reaches_and_where_its_copies_get_slower_is_on_the_page(self):
        lists = sorted((PROJECT / "results/h200").glob("prices-2026-11-27-8d18999-*.json.gz"))
        said = " ".join(text for prices in self.written(*lists)["prices"] for text in prices["health"])
        self.assertIn("pinned copies h2d 55.5 GB/s, 88 % of the data sheet: good", said)
        self.assertIn("FP32 products on the GPU 51405 GFLOP/s, 77 % of the data sheet: good", said)
        self.assertIn("copy/h2d/host:pageable: 14.9 GB/s up to 64.0 MiB, 8.35 GB/s to 9.14 GB/s from 256 MiB", said)

    def test_prices_of_another_machine_than_the_rows_are_marked(self):
        other = PROJECT / "results/h200/prices-2026-11-27-8d18999-copies.json.gz"
        here, there = self.written(RUN, PRICES, other)["prices"]
        self.assertEqual(here["elsewhere"], "")
        self.assertEqual(there["elsewhere"], f"These prices are not of the machine and the software that measured {RUN.name}: "
                                             "they explain none of its rows.")
        self.assertEqual(self.written(other)["prices"][0]["elsewhere"], "")  # beside no row

    def test_a_price_list_that_was_stopped_is_not_called_whole(self):
        stopped = json.loads(PRICES.read_text())
        stopped["context"]["whole"] = "no"
        file = self.folder / "stopped.json"
        file.write_text(json.dumps(stopped))
        self.assertEqual(self.written(file)["prices"][0]["context"]["whole"], "no")
        self.assertIn('file.context.whole === "no" && element(', self.page.read_text())

    def test_every_row_has_the_lesson_that_explain_prints(self):
        data = self.written(RUN)
        self.assertEqual({row["step"] for row in data["runs"][0]["rows"]}, set(data["steps"]))
        for name, step in data["steps"].items():
            self.assertTrue(step["lesson"].startswith(name), name)
            self.assertTrue(step["claim"], name)

    def test_every_row_says_its_device(self):
        for row in self.written(RUN)["runs"][0]["rows"]:
            self.assertRegex(row["device"], "^(cpu|cuda:0)$")

    def test_rows_of_an_old_file_have_the_names_that_their_sides_have_today(self):
        content = json.loads(gzip.decompress(RUN.read_bytes()))
        self.assertFalse(any("sides" in pair for pair in content["tuneproof"]["pairs"]))
        sides = {row["step"]: row["sides"] for row in self.written(RUN)["runs"][0]["rows"]}
        self.assertEqual(sides["stgym/device_indices"], ["without", "with"])
        self.assertNotIn(["naive", "optimized"], sides.values())

    def test_two_runs_are_compared(self):
        comparison = self.written(RUN, "--against", OLD)["comparison"]
        self.assertEqual((comparison["base"], comparison["current"]), (OLD.name, RUN.name))
        self.assertEqual(len(comparison["rows"]), 15)
        self.assertEqual({key for row in comparison["base_run"]["rows"] for key in row}, {"device", "verdict"})

    def test_runs_of_different_machines_are_shown_without_verdicts(self):
        other = self.changed(lambda block: block["fingerprint"]["hard"]["machine"].update(cpu_model="Another"))
        comparison = self.written(RUN, "--against", other)["comparison"]
        self.assertEqual([each["field"] for each in comparison["differences"]], ["machine.cpu_model"])
        self.assertEqual({row["verdict"] for row in comparison["rows"]}, {"inconclusive"})

    def test_a_dash_writes_to_standard_output(self):
        said = report(RUN, "-o", "-")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertTrue(said.stdout.startswith("<!DOCTYPE html>"))

    def test_the_page_is_written_where_an_older_one_was(self):
        self.page.write_text("old")
        self.written(RUN)

    def test_markdown_names_the_device_above_its_rows(self):
        said = report(RUN, "--markdown")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertRegex(said.stdout, r"(?m)^### tuneproof .* on CPU: AMD EPYC$")
        self.assertRegex(said.stdout, r"(?m)^\| stgym/single\\_tail/.* \| -13.7 % .* \| faster \|")
        self.assertIn("25 rows skipped: no CUDA device\n", said.stdout)
        self.assertNotIn("on GPU", said.stdout)  # the machine has none
        gpu = said.stdout.split(", rows that need a GPU\n")
        self.assertEqual(len(gpu), 2)
        self.assertNotIn("| faster |", gpu[1])

    def test_page_markdown_and_junit_say_the_same_of_a_run_in_short(self):
        lines = self.written(RUN)["runs"][0]["summary"]
        exported = subprocess.run([PROGRAM, "export", "junit", RUN], capture_output=True, text=True)
        plain = {"page and Markdown": re.sub(r"\\(.)", r"\1", report(RUN, "--markdown").stdout),
                 "JUnit": html.unescape(exported.stdout)}
        for where, text in plain.items():
            for line in lines:
                self.assertIn(line, text, where)

    def test_page_and_markdown_say_the_same_of_the_machine(self):
        for files, start in ([RUN, PRICES], f"Machine, by {PRICES.name}: memory of the host "), ([RUN], "Machine: no prices "):
            told = self.written(*files)["runs"][0]["machine"]
            self.assertTrue(told[0].startswith(start), told)
            plain = re.sub(r"\\(.)", r"\1", report(*files, "--markdown").stdout)
            for line in told:
                self.assertIn(f"- {line}\n", plain)

    def test_markdown_of_prices_has_what_follows_from_them(self):
        said = report(PRICES, "--markdown")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        for line in self.written(PRICES)["prices"][0]["balance"]:
            if line["said"]:
                self.assertIn(f"- {line['about']}: {line['said'][0]}", re.sub(r"\\(.)", r"\1", said.stdout))

    def test_a_file_named_as_markdown_is_markdown(self):
        tables = self.folder / "r.md"
        said = report(RUN, "-o", tables)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertEqual(tables.read_text(), report(RUN, "--markdown").stdout)

    def test_markdown_of_two_runs_has_what_changed(self):
        said = report(RUN, "--against", OLD, "--markdown")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertRegex(said.stdout, r"\| (same|faster|slower|cannot tell) \|")

    def test_open_starts_the_desktops_program_with_the_page(self):
        tool = self.folder / "bin/xdg-open"
        tool.parent.mkdir()
        tool.write_text(f'#!/bin/sh\nprintf %s "$1" > {self.folder}/opened.new; mv {self.folder}/opened.new {self.folder}/opened\n')
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
        said = report(RUN, "-o", self.page, "--open", PATH=f"{tool.parent}:{os.environ['PATH']}")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        opened = self.folder / "opened"
        for _ in range(600):
            if opened.exists():
                break
            subprocess.run(["sleep", "0.1"])
        self.assertEqual(opened.read_text(), str(self.page))

    def test_without_such_a_program_the_page_is_there_and_that_is_said(self):
        said = report(RUN, "-o", self.page, "--open", PATH=str(self.folder))
        self.assertEqual(said.returncode, 1)
        self.assertRegex(said.stderr, r"\Atuneproof: \S+page.html is written, but xdg-open cannot be started: .*\n\Z")
        self.assertTrue(self.page.exists())

    def test_a_page_never_takes_the_place_of_what_it_is_made_of(self):
        results, link = self.folder / "r.json", self.folder / "link.json"
        results.write_bytes(RUN.read_bytes())
        link.symlink_to(results)
        self.assertIn("would overwrite", self.refused(results, "-o", results))
        self.assertIn("would overwrite", self.refused(RUN, "--against", results, "-o", link))
        self.assertEqual(results.read_bytes(), RUN.read_bytes())

    def test_a_history_is_drawn_with_or_without_a_run(self):
        database = self.folder / "h.sqlite"
        subprocess.run([PROGRAM, "history", "add", RUN, OLD, "--db", database], check=True, capture_output=True, timeout=60)
        data = self.written("--history", database)
        self.assertEqual((data["runs"], len(data["history"]["sessions"]), data["history"]["file"]), ([], 2, "h.sqlite"))
        measured = json.loads(gzip.decompress(RUN.read_bytes()))["tuneproof"]["pairs"]
        self.assertLessEqual({pair["id"] for pair in measured}, {row["name"] for row in data["history"]["rows"]})
        self.assertEqual(len(self.written(RUN, "--history", database)["runs"]), 1)
        self.assertIsNone(self.written(RUN)["history"])

    def test_a_file_of_Google_Benchmark_is_named(self):
        file = self.folder / "g.json"
        file.write_text('{"context": {}, "benchmarks": []}')
        self.assertIn("is a file of Google Benchmark", self.refused(file, "-o", self.page))

    def test_a_history_that_cannot_be_read_writes_no_page(self):
        self.refused("--history", self.folder / "none.sqlite", "-o", self.page)
        self.refused("--history", RUN, "-o", self.page)
        self.refused(RUN, "--history", RUN, "--markdown")

    def test_wrong_use(self):
        self.assertIn("-o FILE.html", self.refused(RUN))
        self.assertIn("--open", self.refused(RUN, "--markdown", "--open"))
        self.assertIn("x.pdf: a page ends with .html", self.refused(RUN, "-o", self.folder / "x.pdf"))
        self.assertIn("--markdown", self.refused(RUN, "--markdown", "--trace", TRACE))
        for files in [SELFTEST], [RUN, SELFTEST]:
            self.assertIn(f"self-test; for {SELFTEST.name}, write a page with -o FILE.html", self.refused(*files, "--markdown"))
        self.assertIn("2 were", self.refused(RUN, OLD, "--against", OLD, "-o", self.page))
        self.assertIn("none was", self.refused(PRICES, "--against", OLD, "-o", self.page))
        self.assertIn("RESULT", self.refused("-o", self.page))

    def test_files_that_are_none(self):
        broken, other, empty = (self.folder / name for name in ["broken.json", "other.json", "empty.json"])
        broken.write_bytes(gzip.decompress(RUN.read_bytes())[:1000])
        other.write_text('{"benchmarks": [{"name": "BM_sort/8"}]}')
        empty.write_text("")
        for file in [broken, other, empty, self.folder / "none.json", self.folder, TRACE]:
            self.assertIn(file.name, self.refused(file, "-o", self.page))
        for file in [broken, RUN, self.folder / "none.json"]:
            self.assertIn(file.name, self.refused(RUN, "--trace", file, "-o", self.page))
            if file != RUN:
                self.assertIn(file.name, self.refused(RUN, "--against", file, "-o", self.page))

    def test_a_file_of_a_newer_program(self):
        newer = self.changed(lambda block: block["schema_version"].update(major=2))
        self.assertIn("newer", self.refused(newer, "-o", self.page))

    def test_places_that_cannot_be_written(self):
        self.assertIn("folder", self.refused(RUN, "-o", self.folder))
        self.assertIn("none", self.refused(RUN, "-o", self.folder / "none/page.html"))

    def test_what_a_file_says_is_data_and_never_markup(self):
        nasty = "</script><script>alert(1)</script><!-- \u202e\U0001f600 \"'&"

        def change(block):
            block["pairs"][0]["published"] = nasty
            block["pairs"][0]["id"] = "a/" + nasty
        data = self.written(self.changed(change))
        kept = nasty.replace("\u202e", "?")
        self.assertEqual(data["runs"][0]["rows"][0]["published"], kept)
        self.assertEqual(data["runs"][0]["rows"][0]["name"], "a/" + kept)
        self.assertEqual(self.page.read_text().count("alert(1)"), 2)
        self.assertNotIn("<script>alert", self.page.read_text())

    def test_a_name_of_10_KB_is_kept(self):
        name = "a/" + "n" * 10240
        data = self.written(self.changed(lambda block: block["pairs"][0].update(id=name)))
        self.assertEqual(data["runs"][0]["rows"][0]["name"], name)


if __name__ == "__main__":
    unittest.main()
