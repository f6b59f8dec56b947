"""The bundle in a bare Debian, under another path and as another user: without torch, then with the build's wheel.

Usage: bundle_elsewhere.test.py PROJECT BUILD
Skipped (77) without root, debootstrap, a network, or the archive that scripts/bundle.sh makes.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT, BUILD = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
ARCHIVE = BUILD / "tuneproof-bundle.tar.zst"
USER = 12345  # no user of this machine, and none of the new system
os.environ["PATH"] += ":/usr/sbin:/sbin"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


if os.geteuid() != 0:
    skip("a root file system of its own takes root")
if not shutil.which("debootstrap"):
    skip("there is no debootstrap")
if not ARCHIVE.exists():
    skip(f"{ARCHIVE.name} is not there; scripts/bundle.sh makes it")


def debian():
    """This machine's own Debian suite and where its packages come from."""
    suite = re.search(r"(?m)^VERSION_CODENAME=(\w+)", pathlib.Path("/etc/os-release").read_text())[1]
    for file in sorted([*pathlib.Path("/etc/apt").glob("sources.list.d/*.sources"),
                        *pathlib.Path("/etc/apt").glob("sources.list.d/*.list"), pathlib.Path("/etc/apt/sources.list")]):
        if not file.is_file():
            continue
        for paragraph in re.split(r"\n\s*\n", file.read_text()):
            line = re.search(rf"(?m)^deb\s+(?:\[[^]]*\]\s+)?(\S+)\s+{suite}\s+(?:\S+\s+)*?main\b", paragraph)
            suites = re.search(rf"(?m)^Suites:(?:.*\s){suite}(?:\s|$)", paragraph)
            found = line or (suites and re.search(r"(?m)^URIs:\s*(\S+)", paragraph))
            if found:
                return suite, found[1].rstrip("/")
    return skip("apt's sources name no archive of this Debian")


def site_packages():
    """The folder of the torch that the build was made with."""
    torch = re.search(r"(?m)^export Torch_DIR=(.*)/torch/share/cmake/Torch$", (BUILD / "env.sh").read_text())
    return pathlib.Path(torch[1]) if torch else skip("the build's LibTorch is no Python package")


class Elsewhere(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="bare-debian-"))
        cls.root.chmod(0o755)  # another user's / as well
        cls.mounts = []
        cls.addClassCleanup(cls.remove)
        suite, source = debian()
        made = subprocess.run(["debootstrap", "--variant=minbase", "--include=python3", suite, cls.root, source],
                              capture_output=True, text=True, timeout=900)
        if made.returncode != 0:
            skip(f"debootstrap failed: {made.stdout.strip().splitlines()[-1:]}")
        cls.mount("/proc", "proc")
        cls.mount("/dev/shm", "dev/shm")
        cls.home = cls.root / "srv/another place"
        cls.home.mkdir(parents=True)
        subprocess.run(f'zstd -dc "{ARCHIVE}" | tar -C "{cls.home}" -xf -', shell=True, check=True)
        (cls.root / "srv/out").mkdir()
        os.chown(cls.root / "srv/out", USER, USER)

    @classmethod
    def remove(cls):
        for target in reversed(cls.mounts):
            subprocess.run(["umount", target], check=True)
        shutil.rmtree(cls.root)

    @classmethod
    def mount(cls, source, target, *options):
        target = cls.root / target
        target.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "--bind", *options, source, target], check=True)
        cls.mounts.append(target)

    def inside(self, *arguments, minutes=10):
        command = ["chroot", f"--userspec={USER}:{USER}", self.root, "env", "-i", "PATH=/usr/bin:/bin", "HOME=/srv/out",
                   "/srv/another place/tuneproof-bundle/run-here.sh", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60 * minutes, cwd="/")

    @contextlib.contextmanager
    def torch(self):
        self.mount(site_packages(), "opt/wheels", "-o", "ro")
        path = next((self.root / "usr/lib/python3").glob("dist-packages")) / "wheels.pth"
        path.write_text("/opt/wheels\n")
        try:
            yield
        finally:
            path.unlink()
            subprocess.run(["umount", self.mounts.pop()], check=True)

    def test_without_torch_it_says_so_in_one_sentence(self):
        said = self.inside("run", "--suite", "quick")
        self.assertEqual((said.returncode, said.stdout), (1, ""), said)
        self.assertRegex(said.stderr, r"^tuneproof: no LibTorch [^\n]*cannot import torch[^\n]*\n$")

    def test_the_quick_suite_runs(self):
        with self.torch():
            said = self.inside("run", "--suite", "quick", "--json", "/srv/out/results.json")
        self.assertEqual(said.returncode, 0, said)
        self.assertRegex(said.stdout, r"(?m)^\d+ rows: ")

    def test_compiled_rows_are_skipped_with_the_reason_without_a_compiler(self):
        self.assertFalse((self.root / "usr/bin/g++").exists())
        steps = ["resnet50/compiled", "gpt/compiled", "unet/compiled", "stgym/compiled"]
        with self.torch():
            said = self.inside("run", *steps, "--json", "/srv/out/compiled.json")
        self.assertEqual(said.returncode, 0, said)
        rows = json.loads((self.root / "srv/out/compiled.json").read_text())["tuneproof"]
        reason = "torch.compile needs a C++ compiler, and g++ cannot be started"
        self.assertEqual({row["step"]: row["message"] for row in rows["errors"]}, dict.fromkeys(steps, reason))
        self.assertEqual(rows["pairs"], [])

    def test_the_tests_that_need_no_GPU_pass(self):
        with self.torch():
            said = self.inside("tests", "~[gpu]", minutes=20)
        self.assertEqual(said.returncode, 0, said.stdout[-4000:] + said.stderr[-4000:])

    def test_a_visit_of_a_minute_ends_in_time_and_leaves_its_archive(self):
        with self.torch():
            said = self.inside("everything", "--out", "/srv/out/visit", "--minutes", "1", minutes=1.5)
        self.assertEqual(said.returncode, 75, said)
        self.assertTrue((self.root / "srv/out/visit.tar.zst").exists(), said)


if __name__ == "__main__":
    unittest.main()
