"""A program and a Python that are made up, for the scripts that time steps: no LibTorch, nothing measured."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent


class SpeedTest(unittest.TestCase):
    """Sets SCRIPT, the texts PROGRAM and PYTHON, and ARGUMENTS of every call."""
    PYTHON = ""
    ARGUMENTS = ["--turns", "1", "--steps", "2"]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program, self.python = (self.folder / name for name in ("program", "python"))
        self.install(self.program, self.PROGRAM)
        self.install(self.python, self.PYTHON)

    def install(self, file, text):
        file.write_text(text)
        file.chmod(0o755)

    def call(self, *arguments):
        return subprocess.run([sys.executable, "-B", PROJECT / "scripts" / self.SCRIPT, "--program", self.program, "--python",
                               self.python, *self.ARGUMENTS, *arguments], capture_output=True, text=True, timeout=60)

    def assert_fails(self, said, pattern):
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertRegex(said.stderr.splitlines()[-1], f"^{self.SCRIPT}: .* {pattern}$")

    def assert_forms_are_those_of(self, listed, other):
        """What the table lists is what the other script times."""
        forms = [next(line for line in (PROJECT / "scripts" / file).read_text().splitlines() if line.startswith(name)).partition(" = ")[2]
                 for file, name in ((self.SCRIPT, listed), (other, "FORMS"))]
        self.assertEqual(*forms)
