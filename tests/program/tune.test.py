"""`tuneproof tune` from outside: its plan, wrong use, what it does without Optuna, and the file that `run --config` takes.

Usage: tune.test.py TUNEPROOF [unittest arguments]
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
PATIENCE = 300
WORKLOADS = ["stgym", "gpt", "resnet50", "unet"]


class Tune(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof.")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE, cwd=self.folder)

    def refused(self, *arguments):
        said = self.call(*arguments)
        self.assertEqual((said.returncode, said.stdout), (1, ""), said.stderr)
        self.assertEqual(said.stderr.count("\n"), 1, said.stderr)
        return said.stderr

    def settings(self, **content):
        file = self.folder / "settings.json"
        file.write_text(json.dumps({"schema": "tuneproof-settings/1"} | content))
        return str(file)

    def test_a_dry_run_shows_knobs_and_time_and_writes_nothing(self):
        for workload in WORKLOADS:
            said = self.call("tune", workload, "--dry-run", "--device", "cpu", "--budget", "10m")
            self.assertEqual((said.returncode, said.stderr), (0, ""))
            for word in ["batch_size *", "precision *", "40 trials", "search: about", "(the budget)"]:
                self.assertIn(word, said.stdout)
            self.assertNotIn("pinned", said.stdout)  # only on a GPU
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_knob_that_is_fixed_is_not_searched(self):
        said = self.call("tune", "gpt", "--dry-run", "--fix", "precision=fp32", "--fix", "execution=operators")
        self.assertRegex(said.stdout, r"precision +fp32 \(fixed\)")
        self.assertRegex(said.stdout, r"execution +operators \(fixed\)")
        self.assertNotIn("bf16", said.stdout)
        self.assertIn("batch_size", said.stdout)

    def test_wrong_use_is_one_sentence(self):
        self.assertIn("expected stgym, gpt, resnet50 or unet", self.refused("tune", "gtp", "--dry-run"))
        self.assertIn("--fix 'batch_size=7'", self.refused("tune", "gpt", "--dry-run", "--fix", "batch_size=7"))
        self.assertIn("KNOB=VALUE", self.refused("tune", "gpt", "--dry-run", "--fix", "colour=red"))
        self.assertIn("takes a batch whole",
                      self.refused("tune", "gpt", "--dry-run", "--fix", "execution=compiled", "--fix", "accumulation=2"))
        self.assertIn("fixed at 64 already", self.refused("tune", "gpt", "--dry-run", "--fix", "batch_size=64", "--fix", "batch_size=32"))
        self.assertIn("'-' is no file", self.refused("tune", "gpt", "--dry-run", "--json", "-"))
        self.assertIn("--memory: 'much'", self.refused("tune", "gpt", "--dry-run", "--memory", "much"))
        self.assertIn("--images", self.refused("tune", "gpt", "--dry-run", "--images", "."))

    def test_without_Python_or_Optuna_a_sentence_says_what_to_do(self):
        self.assertIn("--grid", self.refused("tune", "gpt", "--device", "cpu", "--python", "no-such-python"))

    def test_a_storage_of_another_search_is_refused(self):
        (self.folder / "t.json").write_text(json.dumps({"schema": "tuneproof-trials/1", "plan": {}, "trials": []}))
        self.assertIn("name another file with --storage",
                      self.refused("tune", "gpt", "--device", "cpu", "--grid", "--storage", "t.json"))

    def test_settings_are_taken_by_the_step_of_their_workload(self):
        file = self.settings(workload="gpt", knobs={"batch_size": "32"})
        said = self.call("run", "gpt/tuned", "--config", file, "--dry-run", "--device", "cpu")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertNotIn("skipped", said.stdout)
        said = self.call("run", "*/tuned", "--config", file, "--dry-run", "--device", "cpu")
        self.assertIn("skipped: the settings of --config are gpt's", said.stdout)
        said = self.call("run", "gpt/tuned", "--dry-run", "--device", "cpu")
        self.assertIn("skipped: no settings were given; `tuneproof tune gpt` writes", said.stdout)

    def test_settings_that_no_selected_row_takes_are_refused(self):
        file = self.settings(workload="gpt", knobs={"batch_size": "32"})
        for step in ["unet/tuned", "stgym/tuned", "stgym/end_to_end"]:
            with self.subTest(step):
                said = self.refused("run", step, "--config", file, "--dry-run", "--device", "cpu")
                self.assertIn(f"--config {file}: has settings of gpt, and no row of gpt/tuned is selected", said)

    def test_settings_that_are_wrong_are_refused_by_place(self):
        for content, place in [({"workload": "gpt"}, "knobs"), ({"knobs": {}}, "workload"),
                               ({"workload": "bert", "knobs": {}}, "'bert' cannot be tuned"),
                               ({"workload": "gpt", "knobs": {"batch_size": 32}}, "knobs.batch_size")]:
            self.assertIn(place, self.refused("run", "gpt/tuned", "--dry-run", "--config", self.settings(**content)))

    def test_a_file_of_a_search_without_its_parts_is_no_report(self):
        file = self.folder / "tune.json"
        file.write_text(json.dumps({"schema": "tuneproof-tune/1", "plan": {"workload": "gpt"}}))
        self.assertIn("searcher", self.refused("report", str(file), "-o", "page.html"))


if __name__ == "__main__":
    unittest.main()
