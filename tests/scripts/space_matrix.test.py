"""scripts/space_matrix.py with a program that measures nothing: cells, going on, the table."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = PROJECT / "scripts/space_matrix.py"

# Writes the results that the test has put beside it, and a line for each call.
PROGRAM = """#!/usr/bin/env python3
import json, os, pathlib, sys
here = pathlib.Path(__file__).parent
with open(here / "calls", "a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
if (here / "says").exists():
    sys.exit((here / "says").read_text())
option = "--resume" if "--resume" in sys.argv else "--json"
pathlib.Path(sys.argv[sys.argv.index(option) + 1]).write_text((here / "results").read_text())
"""


def results(rounds=14, errors=(), verdict="helps"):
    at = [{"axis": "unit", "value": 0, "text": "step"}]
    pair = {"id": "stgym/graph_once/unit:step", "step": "stgym/graph_once", "at": at,
            "result": {"verdict": verdict, "ratio": 0.875}}
    return {"tuneproof": {"session": {"looks": [14]}, "rounds": [{}] * rounds, "pairs": [pair],
                          "errors": [{"step": step, "at": at, "verdict": verdict, "message": "the forms disagree"}
                                     for step, verdict in errors]}}


class Matrix(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        program = self.folder / "tuneproof"
        program.write_text(PROGRAM)
        program.chmod(0o755)
        self.give(results())

    def give(self, content):
        (self.folder / "results").write_text(json.dumps(content))

    def call(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, "--program", self.folder / "tuneproof", "--out",
                               self.folder / "out", *arguments], capture_output=True, text=True, timeout=60, check=False)

    def calls(self):
        file = self.folder / "calls"
        return file.read_text().splitlines() if file.exists() else []

    def test_every_combination_is_a_cell_except_clusters_without_pooling(self):
        said = self.call()
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(len(self.calls()), 3 * 3 * 2 + 3 * 2)
        self.assertIn("[24/24] sage-dmon-cluster: begins", said.stderr)

    def test_each_cell_is_a_configuration_of_its_own(self):
        self.call("--layers", "sage", "--pooling", "dmon", "--tasks", "cluster")
        written = json.loads((self.folder / "out/sage-dmon-cluster.json").read_text())
        self.assertEqual(written["task"], {"dataset_name": "synthetic", "type": "node-clustering"})
        self.assertEqual(written["model"]["mp_layers"][0]["layer_type"], "sageconv")
        self.assertEqual(written["model"]["mp_layers"][0]["pooling"], {"type": "dmon", "n_clusters": 20})
        self.assertNotIn("post_mp_layer", written["model"])
        self.assertIn(f"--config {self.folder / 'out/sage-dmon-cluster.json'}", self.calls()[0])

    def test_a_finished_cell_is_not_run_again(self):
        self.call("--layers", "gcn", "--tasks", "graph")
        said = self.call("--layers", "gcn", "--tasks", "graph")
        self.assertEqual(len(self.calls()), 3)
        self.assertIn("gcn-none-graph: is there", said.stderr)

    def test_an_interrupted_cell_goes_on(self):
        self.give(results(rounds=3))
        arguments = ["--layers", "gcn", "--tasks", "graph", "--pooling", "none", "--budget", "9s"]
        self.call(*arguments)
        self.give(results())
        said = self.call(*arguments)
        self.assertIn("goes on", said.stderr)
        self.assertEqual(self.calls()[1], f"run --resume {self.folder / 'out/gcn-none-graph.results.json'} --budget 9s")

    def test_quick_asks_for_rungs_that_have_the_unit(self):
        self.call("--layers", "gcn", "--tasks", "cluster", "--pooling", "dmon")
        self.assertIn("stgym/* --suite full --point unit=step --point unit=eval", self.calls()[0])
        (self.folder / "out/gcn-dmon-cluster.results.json").unlink()
        self.call("--quick", "--layers", "gcn", "--tasks", "cluster", "--pooling", "dmon")
        self.assertNotIn("unit=eval", self.calls()[1])
        self.assertIn("--scale 0.002", self.calls()[1])

    def test_the_table_has_change_verdict_skips_and_failures(self):
        self.give(results(errors=[("stgym/no_item", "skipped"), ("stgym/inplace", "failed")]))
        said = self.call("--layers", "gin", "--tasks", "node", "--pooling", "mincut")
        self.assertEqual(said.returncode, 1)
        self.assertEqual(said.stdout.splitlines()[:4],
                         ["node-classification  gin mincut", "graph_once           + -12.5", "no_item              .",
                          "inplace              failed"])
        self.assertEqual(said.stdout.splitlines()[5:], ["gin mincut node: inplace: the forms disagree"])

    def test_each_row_of_a_rung_has_a_line_of_its_own(self):
        content = results()
        pairs = content["tuneproof"]["pairs"]
        for other, ratio in (("host", 0.5), ("resident", 2.0)):
            at = [{"axis": "against", "value": 0, "text": other}, *pairs[0]["at"]]
            pairs.append({"step": "stgym/prefetch", "at": at, "result": {"verdict": "helps", "ratio": ratio}})
        self.give(content)
        said = self.call("--layers", "gin", "--tasks", "node", "--pooling", "mincut")
        self.assertEqual([line.split() for line in said.stdout.splitlines()[2:4]],
                         [["prefetch", "against:host", "+", "-50.0"], ["prefetch", "against:resident", "+", "+100"]])

    def test_a_published_rung_is_measured_against_the_one_below_only(self):
        self.call("--layers", "gin", "--tasks", "node", "--pooling", "mincut")
        self.assertIn("--point against=below --point against=host --point against=resident", self.calls()[0])

    def test_the_table_alone_measures_nothing(self):
        self.call("--layers", "gin", "--tasks", "node", "--pooling", "mincut")
        said = self.call("--table")
        self.assertEqual((said.returncode, len(self.calls())), (0, 1))
        self.assertIn("graph_once           + -12.5", said.stdout)

    def test_what_the_program_refuses_is_told(self):
        (self.folder / "says").write_text("tuneproof: no such option")
        said = self.call("--layers", "gin")
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertIn("gin-none-node: tuneproof: no such option", said.stderr)

    def test_a_cell_that_cannot_go_on_is_told(self):
        self.give(results(rounds=3))
        arguments = ["--layers", "gin", "--tasks", "node", "--pooling", "mincut"]
        self.call(*arguments)
        (self.folder / "says").write_text("tuneproof: another machine")
        said = self.call(*arguments)
        self.assertEqual(said.returncode, 1)
        self.assertIn("gin-mincut-node: tuneproof: another machine", said.stderr)

    def test_wrong_input_is_one_sentence(self):
        self.assertIn("'gat' is not one of gin, gcn, sage", self.call("--layers", "gat").stderr)
        os.makedirs(self.folder / "out")
        (self.folder / "out/gin-none-node.results.json").write_text("{")
        said = self.call("--layers", "gin")
        self.assertEqual(said.returncode, 1)
        self.assertIn("is not a results file", said.stderr)
        self.assertNotIn("Traceback", said.stderr)


if __name__ == "__main__":
    unittest.main()
