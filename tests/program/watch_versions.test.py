"""`tuneproof watch` and `versus` on one training under the PyTorch and the Python that users have: each pair of scripts/versions.sh is
installed, its training recorded, judged and timed, and removed again.

Usage: watch_versions.test.py TUNEPROOF PROJECT [unittest arguments]; a pair alone: watch_versions.test.py TUNEPROOF PROJECT -k 2_15_0
TUNEPROOF_VERSIONS names a folder that has the environments already, as TORCH-PYTHON. A pair whose interpreter (python3.13, or one of
pyenv's; 3.14t is 3.14 without the lock) or wheel is not to be had is skipped with the reason; exit 77 where none ran. A pair takes 5 GB
of disk while it runs.
"""

import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
import unittest.mock

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
READY = os.environ.get("TUNEPROOF_VERSIONS")
LONG = 1800
# Sleeping dominates each step, so that the verdict depends on no machine.
TRAINING = """
    import sys
    import time
    import torch

    class Slow(torch.utils.data.Dataset):
        def __len__(self):
            return 160

        def __getitem__(self, at):
            time.sleep(float(sys.argv[1]))
            return torch.randn(6, 8), torch.randn(1)

    if __name__ == "__main__":
        rows = torch.nn.LSTM(8, 4, batch_first=True)
        head = torch.nn.Linear(4, 1)
        optimizer = torch.optim.AdamW([*rows.parameters(), *head.parameters()], lr=0.01)
        steps = 0
        for inputs, targets in torch.utils.data.DataLoader(Slow(), batch_size=8{options}):
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(head(rows(inputs)[0][:, -1]), targets).backward()
            optimizer.step()
            steps += 1
        lock = getattr(sys, "_is_gil_enabled", lambda: True)()
        print("torch", torch.__version__.split("+")[0], "steps", steps, "lock", lock)
    """
LOADERS = ("", ', num_workers=1, multiprocessing_context="forkserver"', ", num_workers=2")


def pairs():
    [listed] = re.findall(r'^watched_torches="(.*)"$', (PROJECT / "scripts/versions.sh").read_text(), re.M)
    return [pair.split(":") for pair in listed.split()]


def interpreter(version):
    """The newest of pyenv's with that version, or the one on PATH; "3.14t" is the build of 3.14 without the lock."""
    number, lockless = version.rstrip("t"), version.endswith("t")
    folder = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")) / "versions"
    kind = re.compile(rf"{re.escape(number)}\.(\d+){'t' if lockless else ''}")
    own = [(int(found[1]), python) for python in folder.glob(f"{number}.*/bin/python") if (found := kind.fullmatch(python.parts[-3]))]
    return str(max(own)[1]) if own else shutil.which(f"python{version}")


class Interpreters(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof.")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def has(self, *files):
        for name in files:
            file = self.folder / name
            file.parent.mkdir(parents=True)
            file.touch(mode=0o755)

    def found(self, version):
        with unittest.mock.patch.dict(os.environ, PYENV_ROOT=str(self.folder), PATH=str(self.folder / "bin")):
            return interpreter(version) and str(pathlib.Path(interpreter(version)).relative_to(self.folder))

    def test_the_newest_of_pyenvs_with_or_without_the_lock(self):
        self.has(*(f"versions/{name}/bin/python" for name in ("3.14.2", "3.14.10", "3.14.11t", "3.1.4")))
        self.assertEqual(self.found("3.14"), "versions/3.14.10/bin/python")
        self.assertEqual(self.found("3.14t"), "versions/3.14.11t/bin/python")
        self.assertIsNone(self.found("3.13"))

    def test_else_the_one_on_path(self):
        self.has("versions/3.14.2/bin/python", "bin/python3.14t")
        self.assertEqual(self.found("3.14t"), "bin/python3.14t")


class Versions(unittest.TestCase):
    any_ran = False

    def environment_of(self, torch, version):
        """The Python of an environment with that torch; skips the test where there is none."""
        if READY:
            python = pathlib.Path(READY) / f"{torch}-{version}/bin/python"
            return python if python.exists() else self.skipTest(f"{python} does not exist")
        base = interpreter(version) or self.skipTest(f"no python{version} on PATH or among pyenv's")
        folder = self.folder / "environment"
        subprocess.run([base, "-m", "venv", folder], check=True, timeout=LONG)
        said = subprocess.run([folder / "bin/pip", "install", "--quiet", "--no-cache-dir", "--no-compile", f"torch=={torch}", "numpy"],
                              capture_output=True, text=True, timeout=LONG)
        if said.returncode:
            self.skipTest(f"pip cannot install torch {torch}: {said.stderr.strip().splitlines()[-1]}")
        return folder / "bin/python"

    def ran(self, options, *arguments):
        """The folder in which the program was called beside the training, and what it said."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (folder / "train.py").write_text(textwrap.dedent(TRAINING).replace("{options}", options))
        said = subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, timeout=LONG,
                              env={**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""})
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)
        return folder, said

    def watched(self, python, options):
        """What the program said of the training, and the events of its only trace."""
        folder, said = self.ran(options, "watch", "--skip", "10", "--", python, "train.py", "0.005")
        [trace] = (folder / "traces").glob("*.pt.trace.json.gz")
        with gzip.open(trace) as file:
            return said, json.load(file)["traceEvents"]

    def steps_of(self, python, *sleeps):
        """How long a step takes where each sample sleeps that long, as `versus` reads it."""
        folder, _ = self.ran("", "versus", *(f"{python} train.py {sleep}" for sleep in sleeps), "--metric", "step", "--steps", "5",
                             "--warmup", "0", "--json", "compared.json")
        [row] = json.loads((folder / "compared.json").read_text())["tuneproof"]["pairs"]
        [step] = row["figures"]
        return step["naive"], step["optimized"]

    def check(self, torch, version):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof.")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        python = self.environment_of(torch, version)
        Versions.any_ran = True
        for options in LOADERS:
            with self.subTest(options=options):
                said, events = self.watched(python, options)
                self.assertIn(f"torch {torch} steps 20 lock {not version.endswith('t')}", said.stdout)
                self.assertRegex(said.stderr, r"VERDICT: input-bound")
                self.assertIn("data_loader_wait", said.stderr)
                steps = sorted(int(e["name"].split("#")[1]) for e in events if str(e.get("name")).startswith("ProfilerStep#"))
                self.assertEqual(steps, [10, 11, 12, 13, 14])
        slow, fast = self.steps_of(python, 0.05, 0)
        self.assertGreater(slow, 8 * 0.05)
        self.assertLess(fast, slow)


for torch, version in pairs():
    setattr(Versions, f"test_torch_{torch}_python_{version}".replace(".", "_"),
            lambda self, torch=torch, version=version: self.check(torch, version))

if __name__ == "__main__":
    result = unittest.main(argv=[sys.argv[0], *sys.argv[3:]], exit=False).result
    sys.exit(1 if not result.wasSuccessful() else 0 if Versions.any_ran else 77)
