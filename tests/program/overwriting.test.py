"""No output of any command takes the place of an input, or of another output. Usage: overwriting.test.py TUNEPROOF PROJECT"""

import gzip
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PROJECT = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
RESULTS = PROJECT / "results/cpu-amd-epyc-2-cores/2026-11-21-9756841.json.gz"
REFUSED = """
compare r.json b.json --junit r.json
compare r.json b.json --markdown link.json
compare r.json b.json --junit new --markdown ./new
compare --base t.json --head t.json --selftest r.json --json r.json
compare --base t.json --head t.json --json t.json
merge r.json b.json --json b.json
merge nodes --json nodes/b.json
report r.json -o r.json
report r.json --against b.json -o b.json
report --history h.sqlite -o h.sqlite
report r.json --trace traces -o traces/t.json
versus true true --input r.json --json r.json
versus true true --input r.json --junit r.json
versus true true --json new --markdown new
versus --resume r.json --junit r.json
tune {w:true,false} --input r.json --json r.json
tune {w:true,false} --storage new --json new
run gpt/log_every_n --device cpu --text r.json --json r.json
run gpt/log_every_n --device cpu --text r.json --json r.json --dry-run
run stgym/no_item --device cpu --data brca=cells.csv --json cells.csv
watch --json r.json --evidence r.json -- true
watch --html new --json new -- true
diagnose t.json --json t.json
diagnose traces --json traces/t.json
diagnose t.json --evidence r.json --json r.json
simulate --from c.json --gpu a30 --json c.json
simulate --from c.json --gpu a30 --record new --json new
""".strip().splitlines()


class Overwriting(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        content = json.loads(gzip.decompress(RESULTS.read_bytes()))
        for name in ("r.json", "b.json", "nodes/r.json", "nodes/b.json"):
            content["tuneproof"]["session"]["id"] = name
            self.file(name, json.dumps(content))
        trace = (PROJECT / "docs/learn/traces/training.json").read_text()
        for name in ("t.json", "traces/t.json"):
            self.file(name, trace)
        self.file("c.json", (PROJECT / "docs/learn/recordings/item_every_step.json").read_text())
        self.file("cells.csv", "x\n1\n")
        self.file("h.sqlite", "")
        (self.folder / "link.json").symlink_to("r.json")

    def file(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def call(self, words):
        return subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, timeout=300)

    def content(self):
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def test_it_is_one_sentence_and_all_stays(self):
        before = self.content()
        for line in REFUSED:
            with self.subTest(line):
                said = self.call(line.split())
                self.assertEqual((said.returncode, said.stdout), (1, ""), said.stderr)
                self.assertEqual(len(said.stderr.splitlines()), 1, said.stderr)
                self.assertIn("would overwrite", said.stderr)
                self.assertEqual(self.content(), before)

    def test_an_earlier_output_beside_the_inputs_is_written_again(self):
        for _ in range(2):
            self.assertEqual(self.call(["merge", "nodes", "--json", "nodes/fleet.json"]).returncode, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
