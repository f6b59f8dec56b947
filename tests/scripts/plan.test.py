"""Every row and price that a visit names is one that the program has: a part of wrong names would end at once.

Usage: plan.test.py TUNEPROOF [unittest arguments]. No GPU is needed: the plan's device is replaced by the CPU.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT / "scripts/bundle"), str(PROJECT / "scripts/peers")]
sys.dont_write_bytecode = True
import page  # noqa: E402
import parts  # noqa: E402
import plan  # noqa: E402


def call(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, check=False)


class Plan(unittest.TestCase):
    def commands(self, verb):
        """(part, words behind the verb) of both plans, in new folders."""
        machines = [parts.Machine("abc", "ok", 132), parts.Machine("abc", "no CUDA device")]
        with tempfile.TemporaryDirectory() as folder:
            for part in [part for machine in machines for part in plan.all_parts(machine)]:
                words = part.command(pathlib.Path(folder), 60.0)
                if words[:2] == [parts.RUN, verb]:
                    yield part.name, words[2:]

    def check_rows(self, name, words):
        on_cpu = ["cpu" if word == "cuda" else word for word in words]
        device = [] if "--device" in words else ["--device", "cpu"]
        said = call("run", *on_cpu, *device, "--dry-run")
        self.assertEqual(said.returncode, 0, f"{name}: {said.stderr}")

    def test_rows_that_are_run(self):
        for name, words in self.commands("run"):
            with self.subTest(name):
                self.check_rows(name, words[:words.index("--json")])

    def test_each_row_beside_the_peers_is_in_a_part(self):
        planned = []
        for name, words in self.commands("run"):
            said = call("run", *("cpu" if word == "cuda" else word for word in words[:words.index("--json")]), "--dry-run")
            planned += [line.split("  ", 1)[0] for line in said.stdout.splitlines() if "/" in line.split("  ", 1)[0]]
        for _, _, ours, _ in page.STGYM + page.MODELS:
            self.assertTrue([row for row in planned if row.startswith(ours) and "/unit:step" in row], f"no part has {ours}")

    def test_rows_that_are_profiled(self):
        for name, words in self.commands("profile"):
            with self.subTest(name):
                self.check_rows(name, words[:1])

    def test_prices_each_in_one_part(self):
        every = call("prices", "--benchmark_list_tests").stdout.split()
        of_parts = [call("prices", words[0], "--benchmark_list_tests").stdout.split()
                    for name, words in self.commands("prices") if name != "prices"]
        self.assertTrue(every)
        self.assertTrue(all(of_parts), "a part without a price")
        self.assertEqual(sorted(price for part in of_parts[:4] for price in part), sorted(every))


if __name__ == "__main__":
    unittest.main()
