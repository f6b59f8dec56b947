"""`tuneproof run --config`: wrong configurations, rungs that have nothing to change, and what results keep of it.

Usage: config.test.py TUNEPROOF [unittest arguments]
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1])
PATIENCE = 300  # on a machine that builds eight programs at once, too

SMALL = {"task": {"dataset_name": "synthetic", "type": "node-clustering"},
         "data_loader": {"knn_k": 3, "batch_size": 40},
         "model": {"mp_layers": [{"layer_type": "gcnconv", "dim_inner": 8, "act": "prelu",
                                  "pooling": {"type": "dmon", "n_clusters": 3}}]},
         "train": {"max_epoch": 1}}


def call(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)


class Config(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, content, name="c.json"):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    def refused(self, *arguments):
        said = call("run", *arguments)
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        told = [line for line in said.stderr.splitlines() if not re.match(r"\[rehearsal\] \d+ rows?, about |tuneproof: other programs take ", line)]
        self.assertEqual(len(told), 1, said.stderr)
        return told[0]

    def test_a_wrong_field_is_one_sentence_with_file_and_path_before_anything_is_measured(self):
        wrong = json.loads(json.dumps(SMALL))
        wrong["model"]["mp_layers"][0]["pooling"]["n_clusters"] = 1
        file = self.file(wrong)
        sentence = (f"tuneproof: {file}: model.mp_layers[0].pooling.n_clusters: "
                    "expected a whole number from 2 to 4096")
        self.assertEqual(self.refused("stgym/*", "--config", file), sentence)
        self.assertEqual(self.refused("stgym/*", "--config", file, "--dry-run"), sentence)

    def test_files_that_are_no_configuration_are_refused(self):
        for content in ["", "[]", "nul", "{" * 100_000, '{"a": ' * 100_000, '"' + "x" * 500_000, "\0\x01\xff" * 9,
                        '{"task": NaN}', '{"task": 1e999}', '{"' + "\\u0007" * 300 + '": 1}', " " * (2 << 20)]:
            with self.subTest(content[:20]):
                self.assertLess(len(self.refused("stgym/*", "--dry-run", "--config", self.file(content))), 600)
        for path in ["/dev/zero", "/", "/no/such/file", "no\nfile"]:
            self.refused("stgym/*", "--dry-run", "--config", path)

    def test_a_dry_run_says_which_rungs_have_nothing_to_change(self):
        said = call("run", "stgym/*", "--dry-run", "--device", "cpu", "--config", self.file(SMALL))
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertRegex(said.stdout, r"(?m)^stgym/project_first/unit:step/device:cpu\s+skipped: GCN multiplies before")
        self.assertRegex(said.stdout, r"(?m)^stgym/segment_pooling/unit:step/device:cpu  \d+ s$")

    def test_a_configuration_that_no_selected_step_reads_is_refused(self):
        self.assertIn("--config applies to the steps stgym/*", self.refused("sync/*", "--config", "benchmark"))

    def test_the_data_must_be_the_configurations(self):
        self.assertIn("clustering: task.dataset_name: human-crc needs its file; add --data human-crc=FILE",
                      self.refused("stgym/*", "--config", "clustering"))
        self.assertIn("the shipped ones of STGym are benchmark, clustering, deep or graphs",
                      self.refused("stgym/*", "--config", "benchmrk"))

    def test_an_empty_part_of_the_split_is_told_with_the_fields_path(self):
        few = json.loads(json.dumps(SMALL))
        few["data_loader"]["split"] = {"num_folds": 160, "split_index": 0}
        self.assertIn("data_loader.split.num_folds: 159 graphs cannot fill 160 folds",
                      self.refused("stgym/graph_once", "--device", "cpu", "--scale", "0.002", "--config",
                                   self.file(few)))

    def test_results_keep_the_configuration_and_going_on_needs_no_file(self):
        file, out = self.file(SMALL), str(self.folder / "r.json")
        said = call("run", "stgym/no_item", "stgym/project_first", "--point", "unit=step", "--device", "cpu", "--scale",
                    "0.002", "--config", file, "--json", out, "--budget", "4s", "--seed", "7")
        self.assertEqual(said.returncode, 0, said.stderr)
        block = json.loads(pathlib.Path(out).read_text())["tuneproof"]
        kept = json.loads(block["session"]["options"]["config"])
        self.assertEqual(kept["model"]["mp_layers"][0]["pooling"], {"type": "dmon", "n_clusters": 3})
        self.assertEqual(kept["train"]["optim"]["base_lr"], 0.01)
        skipped = {error["step"]: error["message"] for error in block["errors"]}
        self.assertEqual(list(skipped), ["stgym/project_first"])
        pathlib.Path(file).unlink()
        said = call("run", "--resume", out, "--budget", "4s")
        self.assertEqual(said.returncode, 0, said.stderr)
        again = json.loads(pathlib.Path(out).read_text())["tuneproof"]
        self.assertEqual(again["session"]["options"], block["session"]["options"])

    def test_an_epochs_row_has_the_tasks_metrics(self):
        out = str(self.folder / "r.json")
        said = call("run", "stgym/end_to_end", "--device", "cpu", "--scale", "0.002", "--config", self.file(SMALL),
                    "--json", out, "--budget", "1s")
        self.assertEqual(said.returncode, 0, said.stderr)
        block = json.loads(pathlib.Path(out).read_text())["tuneproof"]
        names = {figure["name"] for figure in block["pairs"][0]["figures"]}
        self.assertLessEqual({"validation NMI", "validation ARI", "test NMI", "test ARI"}, names)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
