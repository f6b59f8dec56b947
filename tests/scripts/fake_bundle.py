"""A bundle made of fakes: the real scripts of scripts/bundle, and programs and a LibTorch that only look like ones."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]

# Every call but those that only list is noted in $CALLS. What `run` does is $FAKE_RUN, a shell command.
TUNEPROOF = """#!/bin/bash
case "$*" in
  *--dry-run) eval "${FAKE_ROWS:-:}"; exit ;;
  *--benchmark_list_tests) eval "${FAKE_PRICE_ROWS:-:}"; exit ;;
esac
echo "$*" >>"$CALLS"
case "$1 $2" in
  --version*) echo "tuneproof 0.1.0 (${FAKE_COMMIT:-abcdef123456})" ;;
  "prices --help") exit "${FAKE_NO_PRICES:-0}" ;;
  run*) eval "${FAKE_RUN:-echo rows >results.json}" ;;
  prices*) eval "${FAKE_PRICES:-:}" ;;
  selftest*) exit "${FAKE_SELFTEST:-0}" ;;
  *) echo "$1 ran" ;;
esac
"""
WORKER = """#!/bin/bash
echo '{"cuda": {"status": "'"${FAKE_CUDA:-no device}"'", "message": "no CUDA device"}, "gpu": {"name": "'"${FAKE_GPU:-H1}"'", "multiprocessors": 132}}'
"""
SMI = """#!/bin/bash
case "$*" in
  *=name,uuid*) echo "${FAKE_GPU:-H1}, ${FAKE_CARD:-GPU-1}" ;;
  *=uuid*) echo "${FAKE_CARD:-GPU-1}" ;;
  *) echo "$0 ran" ;;
esac
"""


# Looks like a program of Catch2: it lists its tests, leaves out those behind a ~, notes outcomes, stops at a failure.
TESTS = """#!/usr/bin/env python3
import os, signal, sys, time
spec, tests = sys.argv[-1], os.environ.get("FAKE_TESTS", "one|two|three").split("|")
if "--list-tests" in sys.argv:
    print("\\n".join(tests))
    sys.exit()
out = next((word.split("out=")[1] for word in sys.argv if "out=" in word), None)
if out is None:
    print("tested", *sys.argv[1:])
    sys.exit()
with open(os.environ["CALLS"], "a") as calls:
    calls.write("tests " + spec + "\\n")
for test in tests:
    quoted = test.replace(chr(92), chr(92) * 2).replace('"', chr(92) + '"').replace(",", chr(92) + ",")
    if '~"' + quoted + '"' in spec:
        continue
    if test.startswith("dies"):
        os.kill(os.getpid(), signal.SIGKILL)
    if test.startswith("hangs"):
        time.sleep(60)
    word = "FAIL" if test.startswith("fails") else "SKIP" if test.startswith("skips") else "PASS"
    print("ran", test)
    open(out, "a").write(":test-result: " + word + " " + test + "\\n")
    if word == "FAIL":  # with --abort Catch2 calls the rest skipped
        open(out, "a").writelines(":test-result: SKIP " + left + "\\n" for left in tests[tests.index(test) + 1:])
        sys.exit(42)
sys.exit(int(os.environ.get("FAKE_TOOL_SAYS", "0")))
"""


class FakeBundle(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof test "))  # a blank in the path is part of the test
        self.addCleanup(shutil.rmtree, self.root)
        self.bundle = self.root / "bundle"
        for name, target in [("bundle", self.bundle), ("peers", self.bundle / "peers")]:
            shutil.copytree(PROJECT / "scripts" / name, target, ignore=shutil.ignore_patterns("__pycache__"))
        self.program("bundle/tuneproof", TUNEPROOF)
        self.program("bundle/tuneproof-worker", WORKER)
        self.program("bundle/tests/tests_gpu", TESTS)
        self.program("bundle/tests/stgym_tests", TESTS)
        self.write("bundle/needs.sh", f"torch_version=2.11.0\ncuda_major=13\nmachine={os.uname().machine}\n"
                                      "glibc_minimum=2.17\nglibcxx_minimum=3.4.20\n")
        self.calls = self.write("calls", "")
        self.torch = self.fake_torch("torch")
        self.program("bin/nvidia-smi", SMI)
        self.program("bin/compute-sanitizer", "#!/bin/bash\necho \"sanitizer $*\" >>\"$CALLS\"\n"
                                              "while [[ $1 == --* ]]; do shift 2; done\nexec \"$@\"\n")
        self.environment = {**os.environ, "CALLS": str(self.calls), "Torch_DIR": str(self.torch / "share/cmake/Torch"),
                            "CUDA_HOME": str(self.root / "no-cuda"), "PATH": f"{self.root}/bin:{os.environ['PATH']}"}
        for name in ["VIRTUAL_ENV", "CONDA_PREFIX"]:
            self.environment.pop(name, None)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def program(self, name, text):
        path = self.write(name, text)
        path.chmod(0o755)
        return path

    def fake_torch(self, name, version="2.11.0", abi="_ZNSt7__cxx1112basic_stringIcE", cuda="libcudart.so.13"):
        """A folder that looks like LibTorch to find-torch.sh. cuda="": built without it."""
        self.write(f"{name}/share/cmake/Torch/TorchConfigVersion.cmake", f'set(PACKAGE_VERSION "{version}")\n')
        self.write(f"{name}/lib/libc10.so", abi)
        if cuda:
            self.write(f"{name}/lib/libc10_cuda.so", cuda)
            self.write(f"{name}/lib/{cuda}", "")
        return self.root / name

    def command(self, *arguments):
        return ["bash", str(self.bundle / "run-here.sh"), *map(str, arguments)]

    def run_here(self, *arguments, **environment):
        return subprocess.run(self.command(*arguments), env={**self.environment, **environment}, cwd=self.root,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)

    def called(self):
        return self.calls.read_text().splitlines()
