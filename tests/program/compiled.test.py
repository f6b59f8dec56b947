"""Compiled rows where there is no C++ compiler: skipped with the reason, while other rows of the run are measured.

Usage: compiled.test.py TUNEPROOF [unittest arguments]
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
COMPILED = ["resnet50/compiled", "gpt/compiled", "unet/compiled", "stgym/compiled"]
OTHER = "traps/hot_cache/device:cpu"
PATIENCE = 1800


class WithoutCompiler(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof.")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def ran(self, *steps, **environment):
        """The run's rows and why the others have none. A cache of its own: no package is found in it."""
        file = self.folder / "r.json"
        said = subprocess.run([PROGRAM, "run", *steps, "--device", "cpu", "--looks", "1", "--json", file],
                              capture_output=True, text=True, timeout=PATIENCE,
                              env=os.environ | {"XDG_CACHE_HOME": str(self.folder), "OMP_NUM_THREADS": "1"} | environment)
        self.assertEqual(said.returncode, 0, said.stderr)
        block = json.loads(file.read_text())["tuneproof"]
        return block["pairs"], {error["step"]: (error["verdict"], error["message"]) for error in block["errors"]}

    def check_skipped(self, errors, compiler):
        reason = f"torch.compile needs a C++ compiler, and {compiler} cannot be started"
        self.assertEqual(errors, {step: ("skipped", reason) for step in COMPILED})

    def test_each_model_says_that_it_needs_a_compiler(self):
        _, errors = self.ran(*COMPILED, CXX="no-such-compiler")
        self.check_skipped(errors, "no-such-compiler")

    def test_a_bare_machine_measures_its_other_rows(self):
        """As in a bundle: no CXX, and no g++ on PATH."""
        pairs, errors = self.ran(*COMPILED, OTHER, CXX="g++", PATH=str(self.folder))
        self.check_skipped(errors, "g++")
        self.assertEqual({pair["id"] for pair in pairs}, {OTHER})


if __name__ == "__main__":
    unittest.main()
