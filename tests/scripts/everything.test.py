"""run-here.sh everything: in order of worth, within a time, goes on where it ended, survives being interrupted."""

import fcntl
import json
import os
import pathlib
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

from fake_bundle import PROJECT, FakeBundle

sys.path.insert(0, str(PROJECT / "scripts/bundle"))
sys.dont_write_bytecode = True
import pack_visit  # noqa: E402
import outcomes  # noqa: E402
import parts  # noqa: E402
import plan  # noqa: E402
import visit  # noqa: E402

SLOW = 'sleep 60 & child=$!; trap "echo told >told; kill $child; exit 130" INT; echo rows >results.json; wait'


class Everything(FakeBundle):
    def setUp(self):
        super().setUp()
        self.out = self.root / "visit"

    def everything(self, minutes=9, **environment):
        return self.run_here("everything", "--out", self.out, "--minutes", minutes, **environment)

    def part(self, name):
        return json.loads((self.out / name / "part.json").read_text())

    def packed_names(self):
        archive = next(self.root.glob("visit.tar.*"))
        plain = subprocess.run(["zstd" if archive.suffix == ".zst" else "gzip", "-dc", archive], check=True,
                               capture_output=True).stdout
        file = self.write("visit.tar", "")
        file.write_bytes(plain)
        with tarfile.open(file) as tar:
            return tar.getnames()

    def test_without_a_GPU_it_does_all_that_a_CPU_can_and_says_what_it_skipped(self):
        said = self.everything()
        self.assertEqual(said.returncode, 0, said)
        for name in ["doctor", "suite", "ladder", "prices", "traces", "selftest"]:
            self.assertEqual((self.part(name)["state"], self.part(name)["exit_code"]), ("done", 0), name)
        self.assertEqual(self.part("gpu-tests")["reason"], "no CUDA device")
        self.assertEqual(self.part("memcheck")["state"], "skipped")
        ran = [call.split()[0] for call in self.called() if "--help" not in call and "--version" not in call]
        self.assertEqual(ran, ["doctor", "run", "prices", "profile", "run", "selftest"])
        self.assertIn("run stgym/*/unit:step/device:cpu --json results.json", self.called())
        names = self.packed_names()
        for name in ["visit/summary.txt", "visit/suite/output-1.txt", "visit/suite/results.json"]:
            self.assertIn(name, names)

    def test_with_a_GPU_all_is_done_in_order_of_worth_and_the_rungs_step_at_full_size(self):
        said = self.everything(FAKE_CUDA="ok")
        self.assertEqual(said.returncode, 0, said)
        order = [line.split(":")[0] for line in said.stdout.splitlines() if "; at most" in line]
        self.assertEqual(order, ["doctor", "nvidia-smi", "gpu-tests", "suite", "rungs-published", "rungs-later", "prices-copies",
                                 "prices-launches", "prices-products", "trace-naive", "trace-best", "ladder", "prices-others", "selftest",
                                 "full-suite", "memcheck", "racecheck"])
        self.assertIn("run stgym/fused_pooling stgym/fused_linear stgym/fused_classifier stgym/rows_in_place stgym/cuda_graph "
                      "--point unit=step --device cuda --scale 1 --json results.json", self.called())
        self.assertIn("run stgym/* --device cuda --scale 1 --json results.json", self.called())

    def test_the_sanitizers_take_our_kernels_tests_and_leave_out_the_calls_that_are_meant_to_fail(self):
        self.everything(FAKE_CUDA="ok")
        memcheck = [call for call in self.called() if call.startswith("sanitizer --tool memcheck")]
        self.assertEqual(len(memcheck), 2)
        for call in memcheck:
            self.assertIn("--tool memcheck --report-api-errors no --error-exitcode 9 tests/", call)
        self.assertTrue(memcheck[1].endswith('"gpu: the pooling kernel*",[kernels]'), memcheck[1])
        racecheck = [call for call in self.called() if call.startswith("sanitizer --tool racecheck")]
        self.assertNotIn("--report-api-errors", racecheck[0])

    def test_errors_that_a_sanitizer_reports_fail_its_part(self):
        said = self.everything(FAKE_CUDA="ok", FAKE_TOOL_SAYS="9", FAKE_TESTS="one")
        self.assertEqual(said.returncode, 1)
        self.assertEqual(self.part("memcheck")["failures"], ["stgym_tests: compute-sanitizer on stgym_tests",
                                                             "tests_gpu: compute-sanitizer on tests_gpu"])

    def test_a_short_visit_cuts_every_part_after_seconds_and_takes_little_data(self):
        said = self.run_here("everything", "--out", self.out, "--minutes", "9", "--short", FAKE_CUDA="ok")
        order = [line.split(":")[0] for line in said.stdout.splitlines() if "; at most" in line]
        every = [part.name for part in plan.all_parts(parts.Machine("", "ok", 132))]
        self.assertEqual(order, [name for name in every if name in order], "another order than the real plan's")
        self.assertEqual(order, every)
        self.assertIn("prices-copies: what copies cost; at most 5 s", said.stdout)
        self.assertIn("run stgym/fused_pooling stgym/cuda_graph --point unit=step --device cuda --scale 0.002 "
                      "--json results.json", self.called())

    def test_called_again_it_does_nothing_twice(self):
        self.everything()
        before = [call for call in self.called() if call.startswith("run")]
        self.assertEqual(self.everything().returncode, 0)
        self.assertEqual([call for call in self.called() if call.startswith("run")], before)

    def test_a_program_without_prices_is_told(self):
        self.assertEqual(self.everything(FAKE_NO_PRICES="1").returncode, 0)
        self.assertEqual(self.part("prices")["reason"], "this program has no command prices")

    def test_a_part_that_fails_is_kept_and_done_anew_where_its_folder_is_gone(self):
        said = self.everything(FAKE_RUN="echo broken; exit 1")
        self.assertEqual(said.returncode, 1)
        self.assertIn(f"{'suite':22} done, exit code 1", said.stdout)
        self.assertEqual((self.out / "suite/output-1.txt").read_text(), "broken\n")
        for name in ["suite", "ladder"]:
            for file in (self.out / name).iterdir():
                file.unlink()
            (self.out / name).rmdir()
        self.assertEqual(self.everything().returncode, 0)

    def test_a_self_test_outside_its_target_is_no_failure_of_the_visit(self):
        self.assertEqual(self.everything(FAKE_SELFTEST="4").returncode, 0)
        self.assertEqual(self.part("selftest")["exit_code"], 4)

    def test_too_little_time_leaves_parts_for_the_next_call(self):
        said = self.everything(minutes=0.5)
        self.assertEqual(said.returncode, 75, said)
        self.assertIn(f"{'selftest':22} missing", said.stdout)
        self.assertEqual(self.everything().returncode, 0)

    def test_Ctrl_C_ends_the_part_as_the_user_would_and_the_next_call_resumes_it(self):
        child = subprocess.Popen(self.command("everything", "--out", self.out, "--minutes", "9"), cwd=self.root,
                                 env={**self.environment, "FAKE_RUN": SLOW}, stdout=subprocess.PIPE, text=True)
        while not (self.out / "suite/results.json").exists():
            time.sleep(0.05)
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        said, _ = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 130, said)
        self.assertTrue((self.out / "suite/told").exists(), "the part was not told to end")
        self.assertEqual((self.part("suite")["state"], self.part("suite")["exit_code"]), ("cut", 130))
        self.assertRegex(said, r"\nsuite +cut, exit code 130: interrupted after \d+ s; kept: nothing\n")
        self.assertIn("visit/suite/results.json", self.packed_names())
        self.assertEqual(self.everything().returncode, 0)
        self.assertIn("run --resume results.json", self.called())

    def test_killed_without_warning_it_goes_on_as_well(self):
        child = subprocess.Popen(self.command("everything", "--out", self.out, "--minutes", "9"), cwd=self.root,
                                 env={**self.environment, "FAKE_RUN": SLOW}, stdout=subprocess.DEVNULL)
        while not (self.out / "suite/results.json").exists():
            time.sleep(0.05)
        time.sleep(0.3)
        child.kill()
        child.wait()
        for _ in range(200):  # its part has been told to end, and holds the lock until then
            said = self.everything()
            if "another visit" not in said.stderr:
                break
            time.sleep(0.05)
        self.assertEqual(said.returncode, 0, said)
        self.assertTrue((self.out / "suite/told").exists())

    def test_what_another_commit_measured_is_not_mixed_in(self):
        self.everything()
        said = self.everything(FAKE_COMMIT="999999999999")
        self.assertEqual(said.returncode, 1)
        self.assertIn("holds what commit abcdef123456 measured, and this is 999999999999", said.stderr)

    def test_a_folder_that_holds_other_things_is_not_packed(self):
        self.write("visit/id_rsa", "secret")
        self.refused("holds other files than a visit")
        self.assertEqual(os.listdir(self.out), ["id_rsa"])
        self.assertEqual(list(self.root.glob("visit.tar*")), [])

    def test_where_it_is_not_known_which_commit_measured_nothing_is_mixed_in(self):
        for text in ["", "[]", "{", '{"commit": 5}']:
            self.write("visit/visit.json", text)
            self.refused("visit.json does not say which commit measured")

    def test_a_part_with_a_broken_note_is_done_anew(self):
        self.everything()
        for name, text in [("suite", "[]"), ("doctor", '{"tries": "x"}'), ("prices", "{")]:
            self.write(f"visit/{name}/part.json", text)
        self.assertEqual(self.everything().returncode, 0)
        for name in ["suite", "doctor", "prices"]:
            self.assertEqual(self.part(name)["state"], "done", name)

    def test_the_folder_may_be_named_by_a_way_around(self):
        self.write("other/x", "")
        said = self.run_here("everything", "--out", self.root / "other/../visit/.", "--minutes", "9")
        self.assertEqual(said.returncode, 0, said)
        self.assertIn("visit/summary.txt", self.packed_names())

    def test_Ctrl_C_while_the_machine_is_asked_is_one_sentence(self):
        self.program("bundle/tuneproof-worker", f"#!/bin/bash\ntouch '{self.root}/asked'\nexec sleep 60\n")
        child = subprocess.Popen(self.command("everything", "--out", self.out, "--minutes", "9"), cwd=self.root,
                                 env=self.environment, stderr=subprocess.PIPE, text=True, start_new_session=True)
        while not (self.root / "asked").exists():
            time.sleep(0.05)
        os.killpg(child.pid, signal.SIGINT)
        _, said = child.communicate(timeout=60)
        self.assertEqual((child.returncode, said), (130, "tuneproof: interrupted.\n"))

    def test_a_full_disk_is_one_sentence(self):
        self.write("visit/visit.json", '{"commit": "abcdef123456"}')
        (self.out / "doctor").mkdir()
        (self.out / "doctor/part.new").symlink_to("/dev/full")
        said = self.everything()
        self.assertEqual((said.returncode, said.stdout), (1, ""), said)
        self.assertRegex(said.stderr, r"^tuneproof: [^\n]+ cannot be written: No space left on device\.\n$")

    def refused(self, reason):
        said = self.everything()
        self.assertEqual((said.returncode, said.stdout), (1, ""), said)
        self.assertRegex(said.stderr, rf"^tuneproof: [^\n]*{reason}[^\n]*\n$")

    def test_two_visits_of_one_folder_are_refused(self):
        self.out.mkdir()
        with (self.out / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            said = self.everything()
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertIn("another visit", said.stderr)

    def test_wrong_use_is_one_sentence(self):
        for arguments in [("--out", "x"), ("--out", "x", "--minutes", "0"), ("--out", "x", "--minutes", "many"),
                          ("--minutes", "3"), ("--out", "/proc/none", "--minutes", "3")]:
            said = self.run_here("everything", *arguments)
            self.assertEqual((said.returncode, said.stdout), (1, ""), said)
            self.assertRegex(said.stderr, r"^tuneproof: [^\n]+\n$")
        self.assertIn("Exit code", self.run_here("everything", "--help").stdout)


class Time(unittest.TestCase):
    """The order and the limits, with parts of a second."""

    def visit(self, folder, seconds, made):
        lock = (folder / ".lock").open("w")
        self.addCleanup(lock.close)
        whole = visit.Visit(folder, time.monotonic() + seconds, parts.Machine("abc", "ok"), lock.fileno())
        whole.parts = made
        return whole

    def part(self, name, script, least=0, most=60, resumes=False):
        return parts.Part(name, name, least, most, lambda folder, seconds: ["bash", "-c", script], resumes=resumes)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.addCleanup(signal.signal, number, signal.getsignal(number))

    def state(self, name):
        return visit.read_json(self.folder / name / "part.json").get("state")

    def test_a_part_that_takes_too_long_is_cut_and_the_next_one_runs(self):
        self.visit(self.folder, 2, [self.part("long", "exec sleep 60", most=0.5), self.part("short", "true")]).go()
        self.assertEqual(self.state("short"), "done")
        self.assertIn(self.state("long"), ["cut", "given up"])
        self.assertEqual(visit.read_json(self.folder / "long/part.json")["exit_code"], 130, "as a shell says it")

    def test_the_never_tried_come_before_those_that_were_cut(self):
        order = self.folder / "order"
        made = [self.part("first", f"echo first >>{order}; exec sleep 60", most=0.3, resumes=True),
                self.part("second", f"echo second >>{order}")]
        self.visit(self.folder, 1, made).go()
        self.assertEqual(order.read_text().split()[:3], ["first", "second", "first"])

    def test_a_part_that_cannot_resume_is_given_up_after_two_tries(self):
        whole = self.visit(self.folder, 5, [self.part("long", "exec sleep 60", most=0.3)])
        whole.go()
        self.assertEqual(self.state("long"), "given up")
        self.assertEqual(whole.exit_code(), visit.FAILED)

    def test_it_ends_in_time_and_what_needs_more_waits(self):
        begin = time.monotonic()
        whole = self.visit(self.folder, 1, [self.part("run", "exec sleep 60", resumes=True), self.part("big", "true", least=30)])
        whole.go()
        self.assertLess(time.monotonic() - begin, 55)  # the part alone would sleep a minute
        self.assertEqual(self.state("big"), None)
        self.assertEqual(whole.exit_code(), visit.TIME_UP)

    def test_children_of_a_part_end_with_it(self):
        script = f"sleep 61 & echo $! >{self.folder}/child; wait"
        self.visit(self.folder, 1, [self.part("run", script, most=0.5, resumes=True)]).go()
        child = pathlib.Path("/proc") / (self.folder / "child").read_text().strip() / "stat"
        for _ in range(50):
            if not child.exists() or child.read_text().rsplit(")", 1)[1].split()[0] in "ZX":
                return
            time.sleep(0.1)
        self.fail("the child of a part that was cut still runs")

    def test_what_is_too_large_is_left_out_the_heaviest_first_and_named(self):
        folder = self.folder / "visit"
        folder.mkdir()
        (folder / "small.txt").write_text("small\n")
        (folder / "trace.json.gz").write_bytes(os.urandom(300_000))
        said = pack_visit.pack(folder, 100_000)
        self.assertIn("left out, too large: trace.json.gz", said)
        self.assertIn("trace.json.gz: 300000 bytes", (folder / pack_visit.LEFT_OUT).read_text())
        archive = next(self.folder.glob("visit.tar.*"))
        self.assertLess(archive.stat().st_size, 100_000)

    def test_what_a_killed_program_had_half_written_is_not_packed(self):
        folder = self.folder / "visit"
        (folder / "trace/.tuneproof-abc").mkdir(parents=True)
        for name in ["trace/.tuneproof-abc/half.json", "trace/.prices.json.xyz", ".lock", "trace/whole.json"]:
            (folder / name).write_text("{")
        pack_visit.pack(folder)
        archive = next(self.folder.glob("visit.tar.*"))
        listed = subprocess.run(["tar", "-tf", archive], check=True, capture_output=True, text=True).stdout.split()
        self.assertEqual(listed, ["visit/trace/whole.json"])

    def test_a_packer_that_fails_says_why_and_leaves_no_half_archive(self):
        folder = self.folder / "visit"
        folder.mkdir()
        (folder / "large").write_bytes(os.urandom(1 << 20))
        with self.assertRaisesRegex(SystemExit, r"^tuneproof: \S+ could not be packed: no space$"):
            pack_visit.write(folder, [folder / "large"], self.folder / "x.tar.zst", ["bash", "-c", "echo no space >&2; exit 1"])
        self.assertEqual(list(self.folder.glob("x.tar.zst*")), [])


if __name__ == "__main__":
    unittest.main()
