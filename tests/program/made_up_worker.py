"""A `tuneproof run` whose worker is a few lines of Python, and misbehaves on request.

For tests that are called with TUNEPROOF PROJECT.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
PROJECT = pathlib.Path(sys.argv[2]).resolve()
ROWS = "sync/dynamic_shape_ops/op:select/*"  # rows on the CPU for 1 and 50 percent
ONE_ROW = "sync/dynamic_shape_ops/op:select/percent:1/device:cpu"
PATIENCE = 300  # on a machine that builds eight programs at once, too

# A worker in a few lines. `act` decides what becomes of a row: the n-th pass, counted from the rehearsal, gets the
# n-th word of FAKE (the last one for all later passes); "segfault:percent:1" does so only to rows with "percent:1" in them.
FAKE_WORKER = """#!{python}
import ctypes, json, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # no worker outlives its parent
if sys.argv[1] == "--probe":
    print(json.dumps({{"cuda": {{"status": "no device", "message": "no CUDA device"}}, "gpu": None,
                      "cuda_runtime": os.environ.get("RUNTIME", "13.0"), "cuda_driver": None, "libtorch": "2.11.0"}}))
    sys.exit(0)
def put(event):
    os.write(3, (json.dumps(event) + "\\n").encode())
task = json.load(sys.stdin)
pair = json.load(open("{golden}"))["tuneproof"]["pairs"][0]
n = 0 if task["round"] is None else task["round"] + 1
acts = os.environ["FAKE"].split()
act, _, rows = acts[min(n, len(acts) - 1)].partition(":")
pair["iterations"] = 3
for column in pair["samples"]:
    pair["samples"][column] = pair["samples"][column][:8] if n else []
for column in ["round_log_ratios", "round_setup_ns", "round_switches"]:
    pair[column] = pair[column][:1] if n else []
for row in task["rows"]:
    name = row["name"]
    put({{"event": "begin", "row": name}})
    if rows not in name or act == "good": put({{"event": "row", "row": dict(pair, id=name)}})
    elif act == "segfault": os.kill(os.getpid(), signal.SIGSEGV)
    elif act == "hang": signal.pause()
    elif act == "eat":
        eaten = []
        while True: eaten.append(b"x" * (1 << 20))
    elif act == "bad_input":
        put({{"event": "bad_input", "message": "a.csv:3: no number"}})
        sys.exit(1)
put({{"event": "end", "disturbance": {{"involuntary_switches": 1, "canary_ns": [5e6], "gpu_canary_ns": [],
                                      "copy_canary_ns": [], "slowdowns": None}}}})
"""


def children_of(pid):
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(word) for word in found.stdout.split()]


def is_running(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it did not happen in time")
        time.sleep(0.02)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof."))
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = self.folder / "r.json"

    def run_it(self, *arguments, program=PROGRAM, **more):
        more.setdefault("stdout", subprocess.PIPE)
        return subprocess.run([program, "run", *arguments], stderr=subprocess.PIPE, text=True, timeout=PATIENCE,
                              cwd=self.folder, **more)

    def document(self):
        return json.loads(self.file.read_text())

    def assert_one_sentence(self, done, *parts):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)


class MadeUpWorker(Folder):
    def setUp(self):
        super().setUp()
        self.bin = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof."))
        self.addCleanup(shutil.rmtree, self.bin)
        self.program = self.bin / "tuneproof"
        shutil.copy(PROGRAM, self.program)
        self.worker(FAKE_WORKER.format(python=sys.executable, golden=PROJECT / "tests/golden/results.json"))

    def worker(self, text):
        path = self.bin / "tuneproof-worker"
        path.write_text(text)
        path.chmod(0o755)

    def fake(self, acts, *arguments, **more):
        return self.run_it(ROWS, "--device", "cpu", "--looks", "1", *arguments, program=self.program,
                           env={**os.environ, "FAKE": acts}, **more)

    def resume(self, acts="good", *arguments, **environment):
        return self.run_it("--resume", self.file, *arguments, program=self.program,
                           env={**os.environ, "FAKE": acts, **environment})

    def start(self, acts, *arguments):
        self.process = subprocess.Popen([self.program, "run", ROWS, "--device", "cpu", "--looks", "1", *arguments],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, "FAKE": acts})
        return self.process

    def closed_pipe(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        self.addCleanup(os.close, write_end)
        return write_end
