"""A machine made of fakes: a copy of the scripts, and a PATH with nothing on it but what the test put there."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = """awk basename bash cat chmod cmp cp cut dirname du env flock grep head ln ls mkdir mktemp mv nproc paste
realpath rm sed sha256sum sleep sort tail tee touch tr uname""".split()

# Answers what the scripts ask Python, isolated (-I) from the current folder. FAKE_PIP is a shell command that stands for the download.
PYTHON = r"""
case "$*" in
  *platform.python_version*) echo "${FAKE_PYTHON_VERSION:-3.11.7}" ;;
  *sys.executable*) echo "$0" ;;
  *ensurepip*) exit "${FAKE_NO_VENV:-0}" ;;
  *find_spec*) [ -n "$FAKE_TORCH" ] && echo "$FAKE_TORCH" ;;
  *purelib*) echo "${0%/bin/*}/site" ;;
  "-I -m venv "*) echo venv >>"$CALLS"; mkdir -p "$4/bin" "$4/site"; cp "$0" "$4/bin/python" ;;
  "-I -m pip install"*) shift; echo "pip $*" >>"$CALLS"; site="${0%/bin/*}/site"; eval "$FAKE_PIP" ;;
esac
"""
PIP_WORKS = """
  mkdir -p "$site/torch/share/cmake/Torch" "$site/nvidia/cu13/bin" "$site/nvidia/cu13/lib"
  touch "$site/torch/share/cmake/Torch/TorchConfig.cmake" "$site/nvidia/cu13/lib/libcudart.so.13"
  echo '#!/bin/bash' >"$site/nvidia/cu13/bin/nvcc"; chmod +x "$site/nvidia/cu13/bin/nvcc"
"""


class FakeMachine(unittest.TestCase):
    """One fresh fake machine a test: Debian 12, g++ 12.2, Python 3.11, 100 GB free, all packages, no GPU."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof-test-"))
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copytree(PROJECT / "scripts", self.root / "project/scripts")
        self.bin = self.root / "bin"
        self.bin.mkdir()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.deps = self.root / "deps"
        self.calls = self.root / "calls"
        self.calls.touch()
        self.environment = {
            "PATH": str(self.bin),
            "HOME": str(self.root),
            "TMPDIR": str(self.root),
            "TUNEPROOF_DEPS": str(self.deps),
            "TUNEPROOF_DRIVER_FILE": str(self.root / "driver"),
            "TUNEPROOF_APT_FOLDER": str(self.root / "apt"),
            "TUNEPROOF_OS_RELEASE": str(self.write("os-release", "VERSION_CODENAME=bookworm\n")),
            "CUDA_HOME": str(self.root / "no-cuda"),
            "CALLS": str(self.calls),
            "FAKE_PIP": PIP_WORKS,
        }
        self.fake("g++", "echo 12.2.0")
        self.fake("python3", PYTHON)
        self.fake_free_space(gigabytes=100)
        self.fake("id", "echo 1000")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def fake(self, name, body):
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!{shutil.which('bash')}\n{body}\n")
        path.chmod(0o755)

    def fake_free_space(self, gigabytes):
        self.fake("df", f"echo head; echo 'disk 1 1 {gigabytes * 1000000} 1% /'")

    def fake_packages(self, **versions):
        """dpkg-query and apt: what is installed, by name with _ for -; apt-get records its calls."""
        cases = "".join(f"*{name.replace('_', '-')}) echo 'installed {v}' ;; " for name, v in versions.items())
        self.fake("dpkg-query", f'case "$*" in {cases} *) exit 1 ;; esac')
        self.fake("apt-get", 'echo "apt-get $*" >>"$CALLS"; eval "$FAKE_APT"')
        self.fake(
            "apt-cache",
            'echo " catch2 | 2.13.10-1 | main"; '
            'ls "$TUNEPROOF_APT_FOLDER"/sources.list.d/tuneproof* >/dev/null && echo " catch2 | 3.7.1-0.4~bpo12+1 | bpo"',
        )

    def fake_gpu(self, driver, capability="9.0"):
        self.fake("nvidia-smi", f'case "$*" in *driver*) echo {driver} ;; *cap*) echo "{capability}, Fake GPU" ;; esac')

    def run_script(self, script, *arguments, **environment):
        return subprocess.run(
            [shutil.which("bash"), str(self.root / "project/scripts" / script), *arguments],
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def assert_works(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)

    def assert_refused(self, result, *words):
        """It failed, with one last line that holds all `words`, and left no half-made environment."""
        self.assertNotEqual(result.returncode, 0)
        for word in words:
            self.assertIn(word, result.stderr.splitlines()[-1])
        self.assertFalse((self.deps / "venv").exists(), "a venv was left behind")
        self.assertFalse((self.deps / "env.sh").exists(), "env.sh was written")
