"""What a visit keeps, notes and leaves for the next call, on a clock of its own: nothing runs and nobody waits."""

import json
import os
import pathlib
import random
import signal
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "scripts/bundle"))
sys.dont_write_bytecode = True
import outcomes  # noqa: E402
import parts  # noqa: E402
import plan  # noqa: E402
import sizes  # noqa: E402
import visit  # noqa: E402

MACHINE = parts.Machine("abc", "ok", 132)


class Killed(Exception):
    """Stands for SIGKILL: nothing of the visit runs behind it."""


class FakeVisit(visit.Visit):
    """Each part does steps of a second; step N leaves a line in what the part writes as it goes."""

    def __init__(self, folder, seconds, steps, killed_at=None):
        self.now = 0.0
        self.clock = lambda: self.now
        super().__init__(folder, seconds, MACHINE, 0)
        self.steps, self.killed_at = steps, killed_at

    def bring_home(self):
        """Packing takes time that this clock does not count."""

    def run(self, command, folder, tries, seconds):
        done = len(list(folder.glob("*.outcomes")))
        end = self.now + seconds
        for number in range(done, self.steps[folder.name]):
            if self.killed_at is not None and self.now >= self.killed_at:
                raise Killed
            if self.now + 1 > end:
                return 130, True
            self.now += 1
            (folder / f"tests.{number}.outcomes").write_text(outcomes.line("FAIL" if number == 3 else "PASS", str(number)))
        return 0, False


class Fake(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.addCleanup(signal.signal, number, signal.getsignal(number))

    def visit(self, seconds, steps, killed_at=None, resumes=True):
        whole = FakeVisit(self.folder, seconds, steps, killed_at)
        whole.parts = [parts.Part(name, name, 1, 20, parts.plain("true"), resumes=resumes) for name in steps]
        return whole

    def facts(self, name):
        return visit.read_json(self.folder / name / "part.json")

    def ended(self, name):
        return len(list((self.folder / name).glob("*.outcomes")))

    def test_a_part_that_is_cut_behind_a_failure_is_failed_and_says_in_what(self):
        whole = self.visit(10, {"a": 30})
        whole.go()
        facts = self.facts("a")
        self.assertEqual((facts["state"], facts["failed"], facts["failures"]), ("cut", True, ["tests: 3"]))
        self.assertIn("FAILED: 1 (tests: 3)", whole.summary())

    def test_a_part_that_is_cut_before_its_failure_is_not(self):
        self.visit(3, {"a": 30}).go()
        self.assertEqual((self.facts("a")["state"], self.facts("a")["failed"]), ("cut", False))

    def test_a_part_that_was_cut_gets_as_much_more_time_in_each_try(self):
        whole = self.visit(20 + 40 + 60, {"a": 1000})
        tries = []
        whole.run = lambda command, folder, tried, seconds: (tries.append(seconds), setattr(whole, "now", whole.now + seconds),
                                                             (130, True))[-1]
        whole.go()
        self.assertEqual(tries, [20, 40, 60])

    def test_a_part_that_was_cut_says_what_it_kept(self):
        whole = self.visit(5, {"a": 3, "b": 30})
        whole.go()
        self.assertIn(f"{'b':22} cut, exit code 130: its time was up after 2 s; kept: 2 tests\n", whole.summary())
        self.assertIn(f"{'a':22} done, exit code 0\n", whole.summary().replace("; FAILED: 1 (tests: 3)", ""))

    def test_killed_at_any_of_ten_moments_what_had_ended_is_there_and_the_next_call_does_the_rest_once(self):
        steps = {"a": 3, "b": 3, "c": 30, "d": 2}
        for moment in random.Random(18).sample(range(sum(steps.values())), 10):
            with self.subTest(killed_at=moment), tempfile.TemporaryDirectory() as folder:
                self.folder = pathlib.Path(folder)
                with self.assertRaises(Killed):
                    self.visit(1000, steps, killed_at=moment).go()
                self.assertEqual(sum(self.ended(name) for name in steps), moment)
                for name in steps:
                    self.assertIn(self.facts(name).get("state"), [None, "cut", "done"])
                again = self.visit(1000, steps)
                again.go()
                self.assertEqual(again.now, sum(steps.values()) - moment)
                self.assertEqual({name: self.ended(name) for name in steps}, steps)
                self.assertEqual([self.facts(name)["state"] for name in steps], ["done"] * 4)

    def test_a_closed_terminal_stops_a_visit_unless_nohup_keeps_it(self):
        for treated, stops in ((signal.SIG_DFL, True), (signal.SIG_IGN, False)):
            signal.signal(signal.SIGHUP, treated)
            whole = self.visit(10, {"a": 3})
            os.kill(os.getpid(), signal.SIGHUP)
            self.assertEqual(whole.stopped, stops)
            os.kill(os.getpid(), signal.SIGTERM)
            self.assertTrue(whole.stopped)

    def test_a_visit_of_nine_minutes_that_is_called_again_until_nothing_is_missing_skips_no_part(self):
        made = plan.all_parts(MACHINE)
        steps = {part.name: 100 for part in made}
        for _ in range(100):
            whole = FakeVisit(self.folder, 9 * 60, steps)
            whole.parts = made
            whole.skip_what_cannot_run = lambda: None
            whole.go()
            if not whole.open_parts():
                break
        self.assertEqual([self.facts(part.name)["state"] for part in made if part.resumes], ["done"] * sum(
            part.resumes for part in made))


class Outcomes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        (self.folder / name).write_text(content if isinstance(content, str) else json.dumps(content))

    def test_rows_that_failed_count_and_rows_that_were_skipped_do_not(self):
        self.write("results.json", {"tuneproof": {"errors": [{"id": "sync/a", "verdict": "failed"},
                                                             {"id": "sync/b", "verdict": "skipped"}]}})
        self.assertEqual(outcomes.failures(self.folder), ["sync/a"])

    def test_prices_that_could_not_be_taken_count_and_those_that_were_skipped_do_not(self):
        self.write("prices.json", {"benchmarks": [{"name": "a", "real_time": 1},
                                                  {"name": "b", "error_occurred": True, "error_message": "skipped: big"},
                                                  {"name": "c", "error_occurred": True, "error_message": "no device"}]})
        self.assertEqual(outcomes.failures(self.folder), ["c"])

    def test_what_is_kept_of_a_part_that_was_cut(self):
        self.assertEqual(outcomes.kept(self.folder), "nothing")
        self.write("results.json", {"tuneproof": {"pairs": [{"iterations": 3, "round_log_ratios": [0.1, 0.2]},
                                                            {"iterations": 3, "round_log_ratios": []},
                                                            {"iterations": 0, "round_log_ratios": []}]}})
        self.assertEqual(outcomes.kept(self.folder), "2 of 3 rows rehearsed, 2 rounds of a row")
        (self.folder / "results.json").unlink()
        self.write("prices.json", {"benchmarks": [{"name": "a"}]})
        self.assertEqual(outcomes.kept(self.folder), "1 prices")
        (self.folder / "prices.json").unlink()
        self.write("selftest.json", {"pairs": [{"sessions": {"planted": ["nothing", "slower"]}}]})
        self.assertEqual(outcomes.kept(self.folder), "2 sessions of a pair")
        (self.folder / "selftest.json").unlink()
        self.write("peers.jsonl", '{"peer": "a", "form": "x"}\n{"peer": "a", "form": "y"}\n{"form": "z", "failed": "no"}\n{"peer":')
        self.assertEqual(outcomes.kept(self.folder), "2 forms of a peer")

    def test_a_line_that_was_cut_is_no_outcome(self):
        self.write("tests_gpu.1.outcomes", ":test-result: PASS a\nother\n:test-result: FAIL b")
        self.assertEqual(outcomes.lines(self.folder / "tests_gpu.1.outcomes"), [("PASS", "a")])
        self.assertEqual(outcomes.failures(self.folder), [])

    def test_what_Catch2_calls_skipped_behind_a_failure_has_no_outcome(self):
        self.write("tests_gpu.1.outcomes", ":test-result: PASS a\n:test-result: FAIL b\n:test-result: SKIP c\n")
        self.assertEqual(outcomes.lines(self.folder / "tests_gpu.1.outcomes"), [("PASS", "a"), ("FAIL", "b")])

    def test_files_that_are_broken_or_missing_say_nothing(self):
        for text in ["", "[]", "{"]:
            self.write("results.json", text)
            self.write("prices.json", text)
            self.assertEqual(outcomes.failures(self.folder), [])


class Plan(unittest.TestCase):
    def test_a_smaller_GPU_gets_more_time_for_each_part(self):
        large, small = sizes.of(132), sizes.of(40)
        for name in sizes.SECONDS:
            self.assertLessEqual(large(name).most, small(name).most, name)
            self.assertLess(large(name).least, large(name).most, name)

    def test_the_tips_are_all_folders_of_steps_and_every_rung_is_one_of_the_ladder(self):
        folders = {path.parent.name for path in (PROJECT / "microbench").glob("*/*.cpp")
                   if '.id = "' + path.parent.name in path.read_text()}
        self.assertEqual({tip.removesuffix("/*") for tip in plan.TIPS}, folders - {"selftest"})
        ladder = (PROJECT / "workloads/stgym/space/stgym_switches.hpp").read_text()
        for rung in set(plan.RUNGS) - {"best_form"}:
            self.assertIn(f'{{"{rung}", ', ladder)
        self.assertTrue((PROJECT / "workloads/stgym/best_form.cpp").exists())
        records = "".join(path.read_text() for path in (PROJECT / "workloads").glob("*/*.cpp"))
        for row in plan.MODEL_ROWS:
            self.assertIn(f'.id = "{"/".join(row.split("/")[:2])}"', records)

    def test_a_visit_of_half_an_hour_gets_to_the_self_test_where_the_quick_suite_is_there(self):
        made = [part.name for part in plan.all_parts(MACHINE)]
        before = [name for name in made[:made.index("selftest")] if name not in ("suite", "doctor", "nvidia-smi")]
        self.assertLessEqual(sum(sizes.of(132)(name).most for name in before), 27 * 60)


if __name__ == "__main__":
    unittest.main()
