"""run-here.sh everything on the stand-in device, shortened: all parts, every file that they leave, kills, what is left out.

Usage: visit_on_stand_in.test.py PROJECT BUILD. Skipped (77) where the build has no stand-in.
TUNEPROOF_KILLS: how many times the second visit is killed; default: 5.
"""

import gzip
import io
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
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
KILLS = int(os.environ.get("TUNEPROOF_KILLS", "5"))
CALLS = 8  # of a visit, on a machine that is so busy that its time is up before every part was tried
ALWAYS_WHOLE = ["doctor", "peers-copies", "trace-naive", "trace-best"]
ON_A_GPU = [part.name for part in plan.all_parts(parts.Machine("", "ok", 132), plan.Wishes(short=True))]
NVBANDWIDTH = """#!/bin/bash
cases=
while [[ $1 != -t ]]; do shift; done
for name in "${@:2}"; do cases+="{\\"name\\": \\"$name\\", \\"status\\": \\"Passed\\", \\"bandwidth_matrix\\": [[\\"1\\"]]},"; done
echo "{\\"nvbandwidth\\": {\\"git_version\\": \\"of a test\\", \\"testcases\\": [${cases%,}]}}"
"""


class Visit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof-visit-"))
        cls.addClassCleanup(shutil.rmtree, cls.root)
        cls.bundle = cls.root / "bundle"
        for name, target in [("bundle", cls.bundle), ("peers", cls.bundle / "peers")]:
            shutil.copytree(PROJECT / "scripts" / name, target, ignore=shutil.ignore_patterns("__pycache__"))
        (cls.root / "kit").mkdir()
        (cls.root / "kit/nvbandwidth").write_text(NVBANDWIDTH)
        (cls.root / "kit/nvbandwidth").chmod(0o755)
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

    def start(self, out, *more, minutes="4"):
        words = ["everything", "--out", out, "--minutes", minutes, "--short", "--peers", self.root / "kit", *more]
        return subprocess.Popen(["bash", self.bundle / "run-here.sh", *words], cwd=self.root, env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def note(self, out, name):
        return outcomes.document(out / name / "part.json")

    def documents(self, out):
        """Every file that must parse, parsed."""
        for file in sorted(out.rglob("*")):
            hidden = any(part.startswith(".") for part in file.relative_to(out).parts)  # not yet written
            if file.name.endswith((".json", ".json.gz")) and not hidden:
                text = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
                yield file, json.loads(text)

    def kept(self, out):
        """What has ended so far: rows that were rehearsed, their rounds, prices, outcomes of tests."""
        rehearsed = rounds = prices = 0
        for file, content in self.documents(out):
            if file.name == "results.json":
                rehearsed += sum(pair["iterations"] > 0 for pair in content["tuneproof"]["pairs"])
                rounds += sum(len(pair["round_log_ratios"]) for pair in content["tuneproof"]["pairs"])
            if file.name.startswith("prices"):
                prices += len(content["benchmarks"])
        return rehearsed, rounds, prices, sum(len(outcomes.lines(file)) for file in out.rglob("*.outcomes"))

    def check_parts(self, out, said):
        for name in ON_A_GPU:
            note = self.note(out, name)
            self.assertIn(note.get("state"), ["done", "cut", "given up", "skipped"], f"{name}\n{said}")
            outputs = "\n".join(file.read_text(errors="replace") for file in sorted((out / name).glob("output-*.txt")))
            self.assertFalse(note.get("failed"), f"{name}\n{outputs}\n{said}")
        for name in ALWAYS_WHOLE:
            self.assertEqual(self.note(out, name)["state"], "done", said)
        tried = [line.split(":")[0] for line in said.splitlines() if "; at most" in line]
        self.assertEqual(list(dict.fromkeys(tried)), [name for name in ON_A_GPU if name in tried])

    def brought_home(self, out):
        """The folder as the archive gives it back."""
        archive = next(self.root.glob(f"{out.name}.tar.*"))
        plain = subprocess.run(["zstd" if archive.suffix == ".zst" else "gzip", "-dc", archive], check=True, capture_output=True)
        with tarfile.open(fileobj=io.BytesIO(plain.stdout)) as tar:
            tar.extractall(self.root / "home", filter="data")
        return self.root / "home" / out.name

    def check_page(self, out):
        documents = dict(self.documents(out))
        results = [file for file, content in documents.items() if file.name != "part.json" and (
            "tuneproof" in content or "benchmarks" in content or "schema" in content)]
        traces = [file for file, content in documents.items() if "traceEvents" in content]
        self.assertEqual(len(traces), 2)
        words = [*map(str, results), *(word for trace in traces for word in ("--trace", str(trace)))]
        report = [str(self.bundle / "run-here.sh"), "report", *words, "-o", str(self.root / "page.html")]
        refused = subprocess.run(report, env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("was measured on the stand-in device", refused.stderr)
        made = subprocess.run([*report, "--allow-stand-in"], env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("stand-in (no times)", (self.root / "page.html").read_text())
        print(f"a page of {len(results)} results and {len(traces)} traces; {len(documents)} files parse")

    def test_a_whole_visit_and_every_file_that_it_brings_home(self):
        out, said = self.root / "whole", ""
        for _ in range(CALLS):
            child = self.start(out)
            new, _ = child.communicate(timeout=1200)
            said += new
            self.assertIn(child.returncode, (0, 1, 75), said)  # 75: parts that were cut go on in another call; 1: one was given up
            tried = all(self.note(out, name).get("state") for name in ON_A_GPU)
            if tried and all(self.kept(out)) and all(self.note(out, name)["state"] == "done" for name in ALWAYS_WHOLE):
                break
        print(said, flush=True)
        self.check_parts(out, said)
        home = self.brought_home(out)
        self.assertEqual(self.kept(home), self.kept(out))
        self.assertTrue(all(self.kept(home)), f"{self.kept(home)}\n{said}")
        self.check_page(home)

    def test_rows_and_prices_that_results_have_are_left_out(self):
        known = self.root / "known"
        first, said = self.visit_of(known, "suite,prices-copies")
        self.assertTrue(first["prices"], said)
        file = known / "suite/results.json"
        content = json.loads(file.read_text())
        pairs = content["tuneproof"]["pairs"]
        for pair in pairs[:2]:
            pair["result"]["verdict"] = "helps"
        file.write_text(json.dumps(content))
        again, said = self.visit_of(self.root / "again", "suite,prices-copies", "--skip-measured", known)
        # How many rows a part rehearses before it is cut depends on the machine's speed.
        self.assertFalse(again["rows"] & {pair["id"] for pair in pairs[:2]}, said)
        self.assertTrue(again["rows"], said)
        self.assertFalse(again["prices"] & first["prices"], said)
        print(f"of {len(first['rows'])} rows {len(again['rows'])} were measured again, and none of {len(first['prices'])} prices")

    def visit_of(self, out, names, *more):
        """The rows that can run here and the prices of some parts of a visit, and what it said."""
        child = self.start(out, "--parts", names, *more, minutes="1")
        said, _ = child.communicate(timeout=600)
        block = outcomes.document(out / "suite/results.json").get("tuneproof", {"pairs": []})
        rows = [pair["id"] for pair in block["pairs"]]
        return {"rows": set(rows), "prices": {row["name"] for row in outcomes.prices(out / "prices-copies")}}, said

    def kill(self, child, out, parts_too):
        """The visit alone, which then tells its part to end, or all of it at once."""
        child.kill()
        for process in pathlib.Path("/proc").glob("[0-9]*") if parts_too else []:
            try:
                if pathlib.Path(os.readlink(process / "cwd")).is_relative_to(out):
                    os.kill(int(process.name), signal.SIGKILL)
            except OSError:
                pass  # it has ended, or is not ours

    def go_on_for(self, out, seconds, parts_too):
        """Visits so long, then kills; what was said. A part that is ending may still hold the folder."""
        while True:
            child = self.start(out, minutes="9")
            try:
                said, _ = child.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                self.kill(child, out, parts_too)
                return child.communicate()[0]
            if "another visit" not in said:
                return said
            time.sleep(0.2)

    def test_killed_at_any_moment_it_loses_nothing_that_had_ended(self):
        moments, out = random.Random(18), self.root / "killed"
        if (self.root / "whole").is_dir():  # the other test's visit goes on: more is there that could be lost
            shutil.copytree(self.root / "whole", out)
        before, done, kills = self.kept(out), set(), 0
        while kills < KILLS or not any(before):
            later = 10 + 6 * kills  # on a busy machine a visit takes long to begin
            said = self.go_on_for(out, moments.uniform(2, later), parts_too=kills % 2 == 1)
            kills += 1
            after = self.kept(out)
            for had, has in zip(before, after):
                self.assertGreaterEqual(has, had, f"{before} -> {after}\n{said}")
            now = {name for name in ON_A_GPU if self.note(out, name).get("state") == "done"}
            self.assertLessEqual(done, now, said)
            before, done = after, now
            self.assertTrue(any(before) or kills < 30, f"30 visits were killed and none had kept anything\n{said}")
            print(f"kill {kills}: rows rehearsed, rounds, prices, tests: {after}; parts done: {sorted(now)}", flush=True)


if __name__ == "__main__":
    unittest.main()
