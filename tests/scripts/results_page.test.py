"""scripts/results_page.py: pages say what the files say, and nothing else."""

import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "scripts"))
sys.dont_write_bytecode = True
import results_files  # noqa: E402

SCRIPT = PROJECT / "scripts/results_page.py"
NEWEST = PROJECT / "results/cpu-amd-epyc-2-cores/2026-11-22-676845f.json.gz"


def call(*arguments):
    return subprocess.run([sys.executable, "-B", SCRIPT, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          check=False)


def prices(rows, commit="0123456789ab"):
    return {"context": {"date": "2026-11-22T00:00:00+00:00", "tuneproof": f"0.1.0 ({commit})"},
            "benchmarks": [{"name": f"prices/memcpy/bytes:{n}KiB", "run_type": "iteration", "real_time": 2.5 * n,
                            "time_unit": "us", "bytes_per_second": 4e9} for n in range(1, rows + 1)]}


class Page(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "a-machine"
        self.folder.mkdir()
        self.results = json.loads(gzip.decompress(NEWEST.read_bytes()))

    def file(self, name, content):
        (self.folder / name).write_text(content if isinstance(content, str) else json.dumps(content))

    def page(self):
        said = call(self.folder)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        return (self.folder / "README.md").read_text()

    def test_every_page_of_the_repository_is_what_its_files_say(self):
        pages = sorted((PROJECT / "results").glob("*/README.md"))
        self.assertTrue(pages)
        for page in pages:
            said = call(page.parent, "--check")
            self.assertEqual(said.returncode, 0, said.stderr)

    def test_the_table_of_other_machines_is_what_their_files_say(self):
        said = subprocess.run([sys.executable, "-B", PROJECT / "scripts/other_machines.py", "--check"], capture_output=True,
                              text=True, timeout=60, check=False)
        self.assertEqual(said.returncode, 0, said.stderr)

    def test_nothing_in_results_was_measured_on_the_stand_in(self):
        files = [path for path in sorted((PROJECT / "results").rglob("*.json*"))
                 if path.parent.name != "schema" and path.suffix != ".jsonl"]
        self.assertGreater(len(files), 10)
        for file in files:
            results_files.refuse_stand_in(file, json.loads(results_files.text_of(file)))

    def test_no_file_in_results_names_the_stand_in_whatever_the_file_is(self):
        for file in filter(pathlib.Path.is_file, (PROJECT / "results").rglob("*")):
            content = file.read_bytes()
            packed = content.startswith(b"\x1f\x8b")
            self.assertNotIn(b"stand-in (no times)", gzip.decompress(content) if packed else content, file)

    def test_a_row_that_a_figure_or_a_scatter_judges_is_shown_in_its_unit_and_not_as_a_time(self):
        first, second, third = self.results["tuneproof"]["pairs"][:3]
        for pair, metric, unit in [(first, "first_figure", "MiB"), (second, "p99_over_median", "s"), (third, "first_figure", "s")]:
            pair.update(metric=metric, figures=[{"name": "f", "unit": unit, "naive": 5.25, "optimized": 3.0}])
            pair["result"].update(naive_ns=5.25e9, ratio=0.5)
        self.file("2026-11-22-676845f.json", self.results)
        page = self.page()
        for pair, shown in [(first, "5.25 MiB | 2.62 MiB"), (second, "5.25 x | 2.62 x"), (third, "5.25 s | 2.62 s")]:
            row = next(line for line in page.splitlines() if line.startswith("| " + pair["id"].removeprefix("stgym/")))
            self.assertIn(f" | {shown} | ", row)

    def test_a_file_of_the_stand_in_is_refused_with_a_sentence_and_taken_where_the_option_says_so(self):
        block = self.results["tuneproof"]
        selftest = {"schema": "tuneproof.selftest/1.1", "started": "2026", "fingerprint": block["fingerprint"]}
        block["fingerprint"]["hard"]["machine"]["gpu"] = {"name": "stand-in (no times)", "compute_capability": "9.0"}
        listed = prices(3)
        listed["context"]["gpu"] = "stand-in (no times)"
        for content in [self.results, selftest, listed]:
            self.file("r.json", content)
            said = call(self.folder)
            self.assertEqual((said.returncode, said.stdout), (1, ""), said)
            self.assertRegex(said.stderr, r"\Atuneproof: [^\n]+r\.json: was measured on the stand-in device, [^\n]+\n\Z")
        self.file("r.json", self.results)
        self.assertEqual(call(self.folder, "--allow-stand-in").returncode, 0)

    def test_a_rung_stands_beside_its_published_figure_with_the_commit(self):
        shutil.copy(NEWEST, self.folder)
        text = self.page()
        self.assertIn("| single_tail against:below/unit:step/device:cpu | part of CUDA 3.9 -> 3.0 s (A30) | 20.5 ms "
                      "| 17.8 ms | -13.4 % [-14.1, -12.3] | 0.7 / 0.7 % | faster | 676845f8c6ed |", text)

    def test_scatter_stands_robust_beside_plain(self):
        pair = self.results["tuneproof"]["pairs"][0]
        pair["round_log_ratios"] = [-0.01, 0.0, 0.01, 0.3]  # by hand: median 0.005, distances 0.005, 0.005, 0.015, 0.295
        self.file("a.json", self.results)
        self.assertIn("| 1.5 / 15.0 % |", self.page())

    def test_every_measured_row_stands_on_the_page(self):
        shutil.copy(NEWEST, self.folder)
        text = self.page()
        for pair in self.results["tuneproof"]["pairs"]:
            self.assertIn(pair["id"].split("/", 2)[1] if pair["id"].startswith("stgym/") else pair["id"], text)

    def test_the_rows_that_hurt_are_the_newest_ones_the_worst_first(self):
        shutil.copy(NEWEST, self.folder)
        newer = self.results
        newer["tuneproof"]["session"]["started"] = "2027-01-01T00:00:00+00:00"
        newer["tuneproof"]["session"]["git"]["head"] = "fedcba987654"
        newer["tuneproof"]["pairs"] = newer["tuneproof"]["pairs"][:2]
        for pair, ratio in zip(newer["tuneproof"]["pairs"], (1.5, 3)):
            pair["result"].update(verdict="hurts", ratio=ratio, ratio_ci=[ratio - 0.1, ratio + 0.1])
        self.file("newer.json", newer)
        text = self.page()
        hurt = text.split("## The rows that are slower")[1].split("##")[0]
        self.assertIn("Of 15 measured rows 2:", hurt)
        self.assertIn("| sync/item_every_step/n:128/device:cpu | it depends | +50.0 % [+40.0, +60.0] | fedcba987654 |", hurt)
        self.assertLess(hurt.index(newer["tuneproof"]["pairs"][1]["id"]), hurt.index("item_every_step"))

    def test_rows_of_steps_that_changed_sides_are_turned_by_the_sides_that_their_file_names(self):
        pair = next(pair for pair in self.results["tuneproof"]["pairs"] if pair["step"] == "dataload/workers_ready_source")
        for sides, ratio in [(None, 1 / 12), (["no workers", "workers"], 1 / 12), (["workers", "no workers"], 12)]:
            old = pair | {"result": pair["result"] | {"ratio": 12.0}} | ({"sides": sides} if sides else {})
            turned = results_files.turned(old)
            self.assertAlmostEqual(turned["result"]["ratio"], ratio)
            self.assertEqual(turned["sides"], ["workers", "no workers"])

    def test_a_list_that_repeats_its_rows_is_not_the_one_that_is_shown(self):
        shutil.copy(NEWEST, self.folder)
        self.file("prices-2026-11-21-0123456.json", prices(3))
        repeated = prices(3, "fedcba9876543")
        for row in repeated["benchmarks"]:
            row["repetitions"] = 5
        self.file("prices-2026-11-22-fedcba9.json", repeated)
        self.assertIn("prices-2026-11-21-0123456.json), commit 0123456789ab: 3 rows", self.page())

    def test_a_wrong_timer_is_no_tip_that_hurts(self):
        for pair in self.results["tuneproof"]["pairs"]:
            pair["result"]["verdict"] = "no_effect"
        trap = self.results["tuneproof"]["pairs"][0]
        trap["result"]["verdict"] = "hurts"
        self.file("a.json", self.results)
        self.assertIn("Of 15 measured rows 1:", self.page())
        trap["figures"] = [{"name": "what the timer says", "unit": "s", "naive": 1, "optimized": 3}]
        self.file("a.json", self.results)
        self.assertIn("None of 14 measured rows.", self.page())

    def test_prices_come_with_their_commit_and_at_most_thirty_rows(self):
        shutil.copy(NEWEST, self.folder)
        self.file("prices-2026-11-22-0123456.json", prices(100))
        text = self.page()
        self.assertIn("commit 0123456789ab: 30 of 100 rows, the most telling first.", text)
        self.assertIn("| prices/memcpy/bytes:1KiB | 2.50 us | 4 GB/s |", text)
        self.assertEqual(text.count("prices/memcpy"), 30)

    def test_what_was_not_measured_is_said(self):
        shutil.copy(NEWEST, self.folder)
        text = self.page()
        self.assertIn("## Prices\n\nNot measured here yet.", text)
        self.assertIn("## Self-test\n\nNot run here yet.", text)

    def test_a_page_that_was_edited_fails_the_check(self):
        shutil.copy(NEWEST, self.folder)
        self.page()
        self.assertEqual(call(self.folder, "--check").returncode, 0)
        with (self.folder / "README.md").open("a") as page:
            page.write("and 99 % faster\n")
        said = call(self.folder, "--check")
        self.assertEqual(said.returncode, 1)
        self.assertIn("is not what its files say", said.stderr)

    def test_a_row_that_cannot_tell_says_why(self):
        row = next(pair for pair in self.results["tuneproof"]["pairs"] if pair["id"].startswith("stgym/"))
        row["result"].update(verdict="inconclusive", ratio=2.4, ratio_ci=[2.3, 2.5], flags=["carryover", "too noisy"])
        self.file("a.json", self.results)
        self.assertIn("| +140 % [+130, +150] | 0.7 / 1.1 % | cannot tell (carryover, too noisy) |", self.page())
        row["result"].update(verdict="invalid", ratio=None, ratio_ci=None)
        self.file("a.json", self.results)
        self.assertIn("| - | 0.7 / 1.1 % | invalid", self.page())

    def test_a_changed_source_is_marked_once(self):
        self.results["tuneproof"]["session"]["git"] = {"head": "676845f8c6ed-dirty", "dirty": True}
        self.file("a.json", self.results)
        text = self.page()
        self.assertIn("676845f8c6ed-dirty", text)
        self.assertNotIn("-dirty-dirty", text)

    def test_bad_input_is_one_sentence(self):
        no_result = json.loads(json.dumps(self.results))
        for pair in no_result["tuneproof"]["pairs"]:
            pair["result"] = {}
        for name, content in [("a.json", "{"), ("a.json", []), ("a.json", no_result), ("a.json", {"tuneproof": {}}), ("a.json", {"x": 1}), ("a.txt", "")]:
            self.file(name, content)
            said = call(self.folder)
            self.assertEqual((said.returncode, said.stdout), (1, ""))
            self.assertRegex(said.stderr, r"^tuneproof: [^\n]+\n$")
            (self.folder / name).unlink()

    def test_help_writes_nothing(self):
        for script, options in [("results_page", ["FOLDER", "--check", "--allow-stand-in"]), ("other_machines", ["--check"])]:
            said = subprocess.run([sys.executable, "-B", PROJECT / f"scripts/{script}.py", "--help"], capture_output=True, text=True,
                                  timeout=60, check=True).stdout
            for option in options:
                self.assertIn(option, said)
        self.assertEqual(call().returncode, 2)


if __name__ == "__main__":
    unittest.main()
