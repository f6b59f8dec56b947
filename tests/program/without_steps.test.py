"""The program that `scripts/build.sh library` builds: all commands for programs of one's own, and no tips.

Usage: without_steps.test.py PROGRAM [unittest arguments].
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv[1]
COMMANDS = "compare diagnose export history merge report tune versus watch".split()


class WithoutSteps(unittest.TestCase):
    def ran(self, *words):
        return subprocess.run([PROGRAM, *map(str, words)], text=True, capture_output=True, timeout=300, check=False)

    def test_it_has_what_needs_no_tip_and_nothing_else(self):
        said = self.ran("--help").stdout
        listed = [line.split()[0] for line in said.splitlines() if line.startswith("  ") and line.split()[0] in COMMANDS]
        self.assertEqual(sorted(listed), COMMANDS)
        for command in ("run", "list", "prices", "learn"):
            done = self.ran(command)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"tuneproof: unknown command '{command}'", done.stderr)

    def test_it_compares_commands_and_reports_them(self):
        with tempfile.TemporaryDirectory() as folder:
            results, page = pathlib.Path(folder) / "r.json", pathlib.Path(folder) / "r.html"
            done = self.ran("versus", "echo value 10", "echo value 20", "--metric-from", r"value (\d+)", "--json", results,
                            "--fail-above", "3%")
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn("+100 %", done.stdout)
            self.assertEqual(self.ran("report", results, "-o", page).returncode, 0)
            self.assertIn("echo value 20", page.read_text())
            self.assertIn("1 row", self.ran("compare", results, results).stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
