"""`tuneproof merge` from outside. Usage: merge.test.py TUNEPROOF PROJECT"""

import copy
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: the Python package jsonschema is not installed")
    sys.exit(77)

PROGRAM, PROJECT = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
RESULTS = PROJECT / "results" / "cpu-amd-epyc-2-cores" / "2026-11-21-9756841.json.gz"
SCHEMA = json.loads((PROJECT / "results/schema/merge.schema.json").read_text())
BASE = json.loads(gzip.decompress(RESULTS.read_bytes()))


def call(*arguments, **environment):
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          env=kept | environment)


def slower(block, factor=1.3):
    """Every slot of every row takes longer; the ratios stay."""
    for pair in block["pairs"]:
        pair["samples"]["t_ns"] = [time * factor for time in pair["samples"]["t_ns"]]
        for form in ["naive_ns", "optimized_ns"]:
            pair["result"][form] *= factor


class Merge(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "nodes"
        self.folder.mkdir()

    def node(self, name, change=None):
        content = copy.deepcopy(BASE)
        block = content["tuneproof"]
        block["session"]["id"] = name
        block["fingerprint"]["info"]["host_name"] = name
        if change:
            change(block)
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(content))
        return path

    def fleet(self, *changes):
        for number, change in enumerate(changes, 1):
            self.node(f"n{number}", change)

    def refused(self, arguments, sentence, code=1):
        said = call("merge", *arguments)
        self.assertEqual((said.returncode, said.stdout), (code, ""), said)
        self.assertIn(sentence, said.stderr)
        return said

    def test_a_node_that_is_slow_in_everything_is_named(self):
        self.fleet(None, None, None, slower)
        said = call("merge", self.folder)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        rows = len(BASE["tuneproof"]["pairs"])
        told = " ".join(said.stdout.split())
        self.assertRegex(told, rf"apart from the others: n4 \(slower in [0-9]+ of {2 * rows} times\)\.")
        self.assertNotIn("n1 (", said.stdout)
        for line in said.stdout.splitlines():
            self.assertLessEqual(len(line), 100, line)

    def test_equal_nodes_are_all_alike(self):
        self.fleet(None, None, None)
        said = call("merge", self.folder)
        self.assertEqual(said.returncode, 0)
        self.assertIn("no node stands apart", said.stdout)

    def test_only_the_rows_with_outliers_where_asked_for(self):
        def one_row(block):
            block["pairs"] = block["pairs"][:1]
            slower(block)
        self.fleet(None, None, one_row)
        said = call("merge", self.folder, "--outliers")
        shown = re.findall(r"(?m)^(\S+/\S+/\S+)$", said.stdout)
        self.assertEqual(shown, [BASE["tuneproof"]["pairs"][0]["id"]])

    def test_the_JSON_follows_its_schema_and_can_be_printed(self):
        self.fleet(None, None, slower)
        file = self.folder.parent / "fleet.json"
        self.assertEqual(call("merge", self.folder, "--json", file).returncode, 0)
        content = json.loads(file.read_text())
        jsonschema.Draft202012Validator(SCHEMA).validate(content)
        self.assertEqual([node["apart"] for node in content["nodes"]], [False, False, True])
        self.assertEqual(json.loads(call("merge", self.folder, "--json", "-").stdout), content)

    def test_another_class_of_machine_is_listed_and_left_out(self):
        def other(block):
            block["fingerprint"]["hard"]["machine"]["cpu_model"] = "Another"
        self.fleet(None, other, None)
        said = call("merge", self.folder)
        self.assertEqual(said.returncode, 0)
        told = " ".join(said.stdout.split())
        self.assertIn("n2.json: another class of machine: cpu_model is Another, not AMD EPYC", told)
        self.assertIn("2 nodes", told)

    def test_nothing_left_to_compare_exits_with_3(self):
        def other(block):
            block["fingerprint"]["hard"]["machine"]["cpu_model"] = "Another"
        self.fleet(None, other)
        said = self.refused([self.folder], "nothing to compare", code=3)
        self.assertIn("n2.json: another class of machine", " ".join(said.stderr.split()))
        self.refused([self.folder / "n1.json"], "nothing to compare", code=3)

    def test_bad_input_is_one_sentence_with_file_and_place(self):
        self.fleet(None, None)
        broken = self.folder / "n3.json"
        for path, text, place in [(self.folder, "", "n3.json"), (self.folder, "[1", "n3.json"),
                                  (broken, '{"tuneproof": {}}', "n3.json: tuneproof: 'schema' is missing")]:
            broken.write_text(text)
            said = self.refused([path], place)
            self.assertRegex(said.stderr, r"^tuneproof: [^\n]{1,600}\n$")

    def test_files_without_results_in_a_folder_are_listed_and_left_out(self):
        self.fleet(None, None, None)
        (self.folder / "prices.json").write_text('{"context": {"tuneproof": "0.1.0"}, "benchmarks": []}')
        (self.folder / "fleet.json").write_text('{"schema": "tuneproof.merge"}')
        (self.folder / "below").mkdir()
        (self.folder / "below" / "n9.json").write_text("[1")
        said = call("merge", self.folder)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        told = " ".join(said.stdout.split())
        self.assertIn("prices.json: no results of `tuneproof run`", told)
        self.assertIn("fleet.json: no results of `tuneproof run`", told)
        self.assertIn("3 nodes", told)
        self.refused([self.folder / "prices.json"], "prices.json")

    def test_wrong_use(self):
        self.refused([], "merge needs PATH (results files, or folders of them: one file per node); for example: ")
        self.refused([self.folder / "none.json"], "none.json: cannot be read: No such file")
        self.refused([self.folder], "has no file that ends in .json or .json.gz")
        self.fleet(None, None)
        self.refused([self.folder, "--jsn", "x"], "did you mean '--json'?")
        self.refused([self.folder, self.folder / "n1.json"], "contains the same session as")
        self.refused([self.folder, "--json", "/proc/none/fleet.json"], "cannot be written")

    def test_the_help_has_examples_and_fits_100_columns(self):
        said = call("merge", "--help")
        self.assertEqual(said.returncode, 0)
        self.assertEqual(len(re.findall(r"(?m)^  tuneproof merge", said.stdout)), 3)
        for line in said.stdout.splitlines():
            self.assertLessEqual(len(line), 100, line)


if __name__ == "__main__":
    unittest.main()
