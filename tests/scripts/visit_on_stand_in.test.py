"""run-here.sh everything on the stand-in device, shortened: all parts, every file that they leave, and ten kills.

Usage: visit_on_stand_in.test.py PROJECT BUILD. Skipped (77) where the build has no stand-in.
"""

import gzip
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT, BUILD = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
if not list((BUILD / "stand_in").glob("libcudart.so*")):
    print("skipped: the stand-in is not built")
    sys.exit(77)
sys.path.insert(0, str(PROJECT / "scripts/bundle"))
sys.dont_write_bytecode = True
import outcomes  # noqa: E402
import parts  # noqa: E402
import plan  # noqa: E402

PROGRAMS = ["tuneproof", "tuneproof-worker", "tests/tests_gpu", "tests/stgym_tests"]
ON_A_GPU = [part.name for part in plan.all_parts(parts.Machine("", "ok", 132), short=True)]


class Visit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof-visit-"))
        cls.addClassCleanup(shutil.rmtree, cls.root)
        cls.bundle = cls.root / "bundle"
        shutil.copytree(PROJECT / "scripts/bundle", cls.bundle, ignore=shutil.ignore_patterns("__pycache__"))
        (cls.bundle / "tests").mkdir()
        stand_in = shlex.quote(str(PROJECT / "scripts/stand_in.sh"))
        for name in PROGRAMS:
            path = cls.bundle / name
            path.write_text(f'#!/bin/bash\nexec {stand_in} {shlex.quote(str(BUILD / path.name))} "$@"\n')
            path.chmod(0o755)
        torch = re.search(r"(?m)^export Torch_DIR=(.*)$", (BUILD / "env.sh").read_text())[1]
        version = re.search(r'PACKAGE_VERSION "([0-9.]+)',
                            pathlib.Path(torch, "TorchConfigVersion.cmake").read_text())[1]
        (cls.bundle / "needs.sh").write_text(f"torch_version={version}\ncuda_major=13\nmachine={os.uname().machine}\n"
                                             "glibc_minimum=2.17\nglibcxx_minimum=3.4.20\n")
        cls.environment = {**os.environ, "Torch_DIR": torch, "XDG_CACHE_HOME": str(cls.root / "cache"), "OMP_NUM_THREADS": "1"}

    def start(self, out):
        return subprocess.Popen(["bash", self.bundle / "run-here.sh", "everything", "--out", out, "--minutes", "9", "--short"],
                                cwd=self.root, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True)

    def note(self, out, name):
        return outcomes.document(out / name / "part.json")

    def documents(self, out):
        """Every file that must parse, parsed."""
        for file in sorted(out.rglob("*")):
            if file.name.endswith((".json", ".json.gz")) and not file.name.startswith("."):
                text = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
                yield file, json.loads(text)

    def kept(self, out):
        """What has ended so far: units of rows, prices, outcomes of tests."""
        units = prices = 0
        for file, content in self.documents(out):
            if file.name == "results.json":
                units += sum(len(pair["round_log_ratios"]) for pair in content["tuneproof"]["pairs"])
            if file.name.startswith("prices"):
                prices += len(content["benchmarks"])
        return units, prices, sum(len(outcomes.lines(file)) for file in out.rglob("*.outcomes"))

    def check_whole(self, out, said):
        for name in ON_A_GPU:
            note = self.note(out, name)
            self.assertIn(note.get("state"), ["done", "cut", "given up", "skipped"], f"{name}\n{said}")
            self.assertFalse(note.get("failures"), f"{name}\n{said}")
        self.assertEqual(self.note(out, "doctor")["state"], "done", said)
        self.assertTrue(all(self.kept(out)), f"{self.kept(out)}\n{said}")

    def check_page(self, out):
        files = [file for file, content in self.documents(out) if file.name != "part.json" and (
            "tuneproof" in content or "benchmarks" in content or "schema" in content)]
        traces = [file for file, content in self.documents(out) if "traceEvents" in content]
        self.assertTrue(traces)
        words = [*map(str, files), *(word for trace in traces for word in ("--trace", str(trace)))]
        report = [str(self.bundle / "run-here.sh"), "report", *words, "-o", str(self.root / "page.html")]
        refused = subprocess.run(report, env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("was measured on the stand-in device", refused.stderr)
        made = subprocess.run([*report, "--allow-stand-in"], env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("stand-in (no times)", (self.root / "page.html").read_text())

    def test_a_whole_visit_and_every_file_that_it_brings_home(self):
        out = self.root / "whole"
        child = self.start(out)
        said, _ = child.communicate(timeout=1200)
        print(said)
        self.assertIn(child.returncode, (0, 75), said)  # 75: parts that were cut go on in another call
        self.check_whole(out, said)
        self.check_page(out)
        self.assertEqual(len(list(self.root.glob("whole.tar.*"))), 1)

    def test_killed_at_ten_moments_it_loses_nothing_that_had_ended(self):
        moments, out = random.Random(18), self.root / "killed"
        before, done = (0, 0, 0), set()
        for _ in range(10):
            child = self.start(out)
            try:
                said, _ = child.communicate(timeout=moments.uniform(3, 15))
            except subprocess.TimeoutExpired:
                child.kill()
                said, _ = child.communicate()
            after = self.kept(out)
            for had, has in zip(before, after):
                self.assertGreaterEqual(has, had, f"{before} -> {after}\n{said}")
            now = {name for name in ON_A_GPU if self.note(out, name).get("state") == "done"}
            self.assertLessEqual(done, now, said)
            before, done = after, now
        print("ended at the last kill: units, prices, tests:", before, "parts:", sorted(done))
        self.assertIn("doctor", done)
        self.assertGreater(sum(before), 0)


if __name__ == "__main__":
    unittest.main()
