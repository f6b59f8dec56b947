"""Nothing that stands in a file or an argument moves a terminal's cursor or turns its text around, and no option takes for a
number what is none.

Usage: hostile_text.test.py TUNEPROOF PROJECT
"""

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

from program_help import all_commands, help_of

PROGRAM, PROJECT = os.path.abspath(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1)).resolve()
MACHINE = PROJECT / "results" / "cpu-amd-epyc-2-cores"
RESULTS = MACHINE / "2026-11-21-9756841.json.gz"
PRICES, SELFTEST = max(MACHINE.glob("prices-*.json")), MACHINE / "selftest-2026-11-21-67d9b7a.json.gz"
HOSTILE = "x\x1b[2J\x1b]0;t\x07\x9b31m\u202ey\u2066"
HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
RECORDING = PROJECT / "docs/learn/recordings/item_every_step.json"
SHEET = {"name": "mine", "title": "My GPU", "link_generation": [4, "me"], "compute_capability": [9, "me"],
         "multiprocessors": [100, "me"], "memory_rate": [2000, "me"], "fp32": [50, "me"], "tf32": [400, "me"], "fp16": [800, "me"]}
TRACE = {"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
    {"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1, "ts": 1000 * step, "dur": 900}
    for step in range(3, 6)] + [
    {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1000 * step + 10, "dur": 800,
     "args": {"Input type": ["float"], "Call stack": "train.py(3): step"}} for step in range(3, 6)]}


def places(document, way=()):
    """The ways to all texts of a document."""
    if isinstance(document, str):
        yield way
    members = document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    for name, value in members:
        yield from places(value, (*way, name))


def put(document, way, text):
    for name in way[:-1]:
        document = document[name]
    document[way[-1]] = text


def small_results():
    document = json.loads(gzip.decompress(RESULTS.read_bytes()))
    block = document["tuneproof"]
    block["pairs"], block["errors"], document["benchmarks"] = block["pairs"][:1], block["errors"][:1], document["benchmarks"][:2]
    if "rows" in block["session"]:
        block["session"]["rows"] = [row["id"] for row in block["pairs"] + block["errors"]]
    return document


def repeated_prices():
    """As often as `simulate --host` wants to see each."""
    document = json.loads(PRICES.read_text())
    document["benchmarks"] *= 5
    return document


class Hostile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.hostile = pathlib.Path(folder.name), ()

    def said(self, *arguments):
        """What a terminal would get; the program ends by itself."""
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, timeout=120, cwd=self.folder,
                              stdin=subprocess.DEVNULL,
                              env=os.environ | {"HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache")})
        self.assertGreaterEqual(done.returncode, 0, arguments)
        said = (done.stdout + done.stderr).decode(errors="replace")
        found = HIDDEN.search(said)
        with self.subTest(arguments=arguments, hostile=self.hostile):
            self.assertIsNone(found, said[max(0, found.start() - 100):][:200] if found else "")
        return said

    def try_texts(self, document, commands):
        """Each text of the document by itself in the first command, and all together that it takes in all commands."""
        file, harmless = self.folder / "x.json", copy.deepcopy(document)
        file.write_text(json.dumps(document))
        for command in commands:
            said = self.said(*command)
            if command[0] != "run":  # which resumes only what this program began
                self.assertFalse(said.startswith("tuneproof:"), said)
        ways = list(places(document))
        for way in ways[::1 + len(ways) // 30]:  # of many alike some
            changed = copy.deepcopy(document)
            put(changed, way, HOSTILE)
            self.hostile = way
            file.write_text(json.dumps(changed))
            if not self.said(*commands[0]).startswith("tuneproof:"):
                put(harmless, way, HOSTILE)
        self.hostile = "all that it takes"
        file.write_text(json.dumps(harmless))
        for command in commands:
            self.said(*command)

    def test_of_results(self):
        another = small_results()
        another["tuneproof"]["session"]["id"] = "another"
        (self.folder / "y.json").write_text(json.dumps(another))
        self.try_texts(small_results(), [
            ("compare", RESULTS, "x.json", "--allow-mismatch"), ("compare", "x.json", RESULTS), ("merge", "x.json", "y.json"),
            *(("export", form, "x.json") for form in ("bmf", "gha", "csv", "junit", "markdown")),
            ("export", "tensorboard", "x.json", "-o", "events"), ("report", "--markdown", "x.json"),
            ("explain", "sync/item_every_step", "--results", "x.json"), ("history", "add", "x.json"), ("history", "check"),
            ("run", "--resume", "x.json")])

    def test_of_Google_Benchmarks_files(self):
        self.try_texts(repeated_prices(), [
            ("compare", "--gbench", PRICES, "x.json", "--allow-mismatch"), ("explain", "cpu/malloc", "--prices", "x.json"),
            ("report", "x.json", "-o", "x.html"), ("simulate", "--gpu", "a100-80", "--host", "x.json", "--from", RECORDING)])

    def test_of_self_tests(self):
        document = json.loads(gzip.decompress(SELFTEST.read_bytes()))
        document["pairs"] = document["pairs"][:1]
        self.try_texts(document, [("report", "x.json", "-o", "x.html")])

    def test_of_traces(self):
        self.try_texts(TRACE, [("diagnose", "x.json"), ("diagnose", "x.json", "--json", "-"),
                               ("diagnose", "x.json", "--against", "x.json")])

    def test_of_recordings_sheets_and_predictions(self):
        self.try_texts(json.loads(RECORDING.read_text()), [("simulate", "--from", "x.json", "--gpu", "a30", "--lines")])
        self.try_texts(SHEET, [("simulate", "--from", RECORDING, "--gpu", "x.json")])
        self.said("simulate", "--from", RECORDING, "--gpu", "a30", "--json", "y.json")
        self.try_texts(json.loads((self.folder / "y.json").read_text()), [("report", "--markdown", "x.json")])

    def test_of_a_course(self):
        self.try_texts({"schema": "tuneproof.learn", "version": 1, "units": {"reading": {"how": "right", "answer": "1", "truth": "2"}}},
                       [("learn", "--list", "--progress", "x.json")])

    def test_of_compiled_packages(self):
        kept = self.folder / "cache/tuneproof/compiled"
        kept.mkdir(parents=True)
        note = {"step": "sync/item_every_step", "seconds": 1, "job": {"inputs": [], "device": HOSTILE, "threads": 1}}
        (kept / "a.json").write_text(json.dumps(note))
        (kept / "a.pt2.txt").write_text(f"void f() {{ {HOSTILE} }}\n")
        self.assertIn("void f()", self.said("explain", "sync/item_every_step", "--assembly"))

    def test_of_names_of_files(self):
        name = "x\x1b[2J\x9b31m\u202ey.json"
        (self.folder / name).write_text(json.dumps(TRACE))
        for words in (), ("--json", "-"), ("--against", name):
            self.said("diagnose", name, *words)
        self.assertIn("the best first", self.said("explain", "pinned", "memory", HOSTILE))
        (self.folder / os.fsdecode(b"x\xff.json")).write_bytes(gzip.decompress(RESULTS.read_bytes()))
        self.assertIn("x?.json", self.said("explain", "sync/item_every_step", "--results", os.fsdecode(b"x\xff.json")))

    def test_of_long_arguments(self):
        for letter in "xé":
            self.assertLess(len(self.said("profile", "stgym/no_item", "--timeout", letter * 5000)), 1100)

    def test_of_arguments(self):
        tried = 0
        for command in all_commands(PROGRAM):
            options = re.findall(r"(?m)^  (?:-\w,)?(--[a-z][a-z-]+)", help_of(PROGRAM, *command))
            at_once = ["--dry-run"] if "--dry-run" in options else ["--device", "cuda:99"] if "--device" in options else []
            for words in [[option, HOSTILE] for option in options] + [[HOSTILE, HOSTILE], ["--" + HOSTILE]]:
                tried += 1
                self.said(*command, *([] if words[0] in at_once else at_once), *words)
        self.assertGreater(tried, 150)


class Numbers(unittest.TestCase):
    TAKING = {"run": "stgym/* gpt/* --device cpu --dry-run", "train": "gpt --device cpu", "profile": "stgym/no_item --device cpu",
              "profile --memory": "gpt/checkpoint_batch --device cpu", "profile --log-every": "gpt/accuracy --device cpu",
              "selftest": "--device cpu", "simulate": "sync/item_every_step --gpu a30", "watch": "-- true", "versus": "true true",
              "tune": "true\n{n:1,2} --python " + sys.executable, "diagnose": "x.json",
              "compare --delta": f"--gbench {PRICES} {PRICES}", "compare": f"--base {PROGRAM} --head {PROGRAM} sync/item_every_step --device cpu --dry-run"}
    BESIDE = {"versus --within": ["--same-output", "x"], "tune --within": ["--same-output", "x"], "versus --steps": ["--metric", "step"],
              "tune --steps": ["--metric", "step"]}

    def numbers(self, *command):
        return re.findall(r"(?m)^  (?:-\w,)?(--[a-z][a-z-]+)(?:,--[a-z-]+)* (?:(?:N|TIME|PERCENT|SIZE|FACTOR|INT|MIB)\b|\{1,3\})",
                          help_of(PROGRAM, *command))

    def test_each_option_refuses_what_is_none_before_anything_runs(self):
        tried = 0
        for command in all_commands(PROGRAM):
            named = " ".join(command)
            for option in self.numbers(*command):
                for number in ("nan", "-1", "inf", "1e999", "0x10", " 3", "") if option != "--seed" else ("nan", "-1", "0x", " 3", ""):
                    tried += 1
                    words = [word.replace("\n", " ") for word in self.TAKING.get(f"{named} {option}", self.TAKING[named]).split(" ")]
                    given = [f"{option}={number}"] if number else [option, ""]
                    done = subprocess.run([PROGRAM, *command, *given, *self.BESIDE.get(f"{named} {option}", []), *words],
                                          capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
                    with self.subTest(command=command, option=option, number=number):
                        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
                        self.assertIn(option, done.stderr)
                        if named != "selftest":  # whose rows take none of the workloads' options
                            self.assertNotIn("applies to", done.stderr)
        self.assertGreater(tried, 350)

    def test_a_number_with_leading_zeros_is_no_octal_one(self):
        for pairs, code in ("010", 0), ("0100", 1):  # 64 to who counts by eight
            done = subprocess.run([PROGRAM, "run", "stgym/no_item", "--device", "cpu", "--dry-run", f"--pairs={pairs}"],
                                  capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn("--pairs '0100': expected a number from 1 to 64", done.stderr)


if __name__ == "__main__":
    unittest.main()
