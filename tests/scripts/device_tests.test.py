"""device_tests.py: each test's outcome is kept as it ends; what has none is run by the next call."""

import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

from fake_bundle import PROJECT, FakeBundle

sys.path.insert(0, str(PROJECT / "scripts/bundle"))
sys.dont_write_bytecode = True
import device_tests  # noqa: E402
import outcomes  # noqa: E402


class DeviceTests(FakeBundle):
    def setUp(self):
        super().setUp()
        self.out = self.root / "out put"
        self.out.mkdir()
        self.program_path = str(self.bundle / "tests/tests_gpu")

    def words(self, *options):
        return [sys.executable, "-B", str(PROJECT / "scripts/bundle/device_tests.py"), "--out", str(self.out), *options,
                self.program_path, "[gpu]"]

    def run_tests(self, *options, **environment):
        return subprocess.run(self.words(*options), env={**self.environment, **environment}, capture_output=True, text=True,
                              timeout=120, check=False)

    def outcomes(self):
        return [(word, test) for file in sorted(self.out.glob("*.outcomes")) for word, test in outcomes.lines(file)]

    def starts(self):
        return [call.removeprefix("tests ") for call in self.called() if call.startswith("tests ")]

    def test_every_test_has_an_outcome_and_all_run_in_one_process(self):
        said = self.run_tests(FAKE_TESTS="one|skips a thing|three")
        self.assertEqual(said.returncode, 0, said)
        self.assertEqual(self.outcomes(), [("PASS", "one"), ("SKIP", "skips a thing"), ("PASS", "three")])
        self.assertEqual(self.starts(), ["[gpu]"])

    def test_behind_a_failure_a_fresh_process_takes_what_is_left(self):
        said = self.run_tests(FAKE_TESTS="one|fails|three")
        self.assertEqual(said.returncode, 1, said)
        self.assertEqual([word for word, _ in self.outcomes()], ["PASS", "FAIL", "PASS"])
        self.assertEqual(self.starts(), ["[gpu]", '[gpu]~"one"~"fails"'])
        self.assertIn("== FAILED tests_gpu: fails", said.stdout)

    def test_a_test_in_which_the_program_dies_is_failed_and_the_others_run(self):
        said = self.run_tests(FAKE_TESTS="one|dies|three")
        self.assertEqual(said.returncode, 1, said)
        self.assertEqual(self.outcomes(), [("PASS", "one"), ("FAIL", "dies"), ("PASS", "three")])
        self.assertIn("dies: tests_gpu ended with -9 before it", said.stdout)

    def test_called_again_it_runs_what_has_no_outcome(self):
        (self.out / "tests_gpu.1.outcomes").write_text(":test-result: PASS one\n:test-result: FAIL two\n:test-res")
        said = self.run_tests()
        self.assertEqual(said.returncode, 1, said)  # the failure of the first call stays one
        self.assertEqual(self.starts(), ['[gpu]~"one"~"two"'])
        self.assertEqual([test for _, test in self.outcomes()], ["one", "two", "three"])

    def test_a_name_with_commas_and_quotes_is_left_out_whole(self):
        name = 'a "b", c \\ d'
        said = self.run_tests(FAKE_TESTS=f"{name}|fails|three")
        self.assertEqual([test for _, test in self.outcomes()], [name, "fails", "three"], said)

    def test_interrupted_it_ends_its_program_and_the_test_that_ran_has_no_outcome(self):
        child = subprocess.Popen(self.words(), env={**self.environment, "FAKE_TESTS": "one|hangs|three"},
                                 stdout=subprocess.DEVNULL)
        while ("PASS", "one") not in self.outcomes():
            self.assertIsNone(child.poll())
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(20), 130)
        self.assertEqual(self.outcomes(), [("PASS", "one")])
        self.assertEqual(self.run_tests(FAKE_TESTS="one|hangs".replace("hangs", "two")).returncode, 0)

    def test_a_tool_is_put_before_the_program_and_its_exit_code_is_a_failure(self):
        said = self.run_tests("--tool", "compute-sanitizer --tool memcheck", FAKE_TOOL_SAYS="9")
        self.assertEqual(said.returncode, 1, said)
        self.assertEqual(self.outcomes()[-1], ("FAIL", "compute-sanitizer on tests_gpu"))
        self.assertEqual(len(self.starts()), 1)

    def test_no_test_at_all_is_no_success(self):
        self.assertEqual(self.run_tests(FAKE_TESTS="").returncode, 1)

    def test_a_test_that_hangs_is_failed_once_patience_ends(self):
        fake = {"CALLS": str(self.calls), "FAKE_TESTS": "hangs|two"}
        with mock.patch.dict(os.environ, fake), mock.patch.object(device_tests, "PATIENCE", 0.5):
            program = device_tests.Program(self.program_path, "[gpu]", pathlib.Path(self.out), [])
            self.assertEqual(program.run(), 2)
        self.assertEqual(self.outcomes(), [("FAIL", "hangs"), ("PASS", "two")])


if __name__ == "__main__":
    unittest.main()
