"""run-here.sh everything: in order of worth, within a time, goes on where it ended, survives being interrupted."""

import fcntl
import gzip
import json
import os
import pathlib
import shutil
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
import measured  # noqa: E402
import pack_visit  # noqa: E402
import outcomes  # noqa: E402
import parts  # noqa: E402
import plan  # noqa: E402
import visit  # noqa: E402

NVBANDWIDTH = """#!/bin/bash
echo 'nvbandwidth of a test'
cases=
while [[ $1 != -t ]]; do shift; done
for name in "${@:2}"; do cases+="{\\"name\\": \\"$name\\", \\"status\\": \\"Passed\\", \\"bandwidth_matrix\\": [[\\"54.5\\"]]},"; done
echo "{\\"nvbandwidth\\": {\\"git_version\\": \\"v0\\", \\"testcases\\": [${cases%,}]}}"
"""
ROWS = "printf 'sync/a  4 s\\nsync/b/n:1  4 s\\nsync/c  skipped: no\\n3 rows\\n'"
SLOW = 'sleep 60 & child=$!; trap "echo told >told; kill $child; exit 130" INT; echo rows >results.json; wait'


class Everything(FakeBundle):
    def setUp(self):
        super().setUp()
        self.out = self.root / "visit"

    def everything(self, *more, minutes=9, **environment):
        return self.run_here("everything", "--out", self.out, "--minutes", minutes, *more, **environment)

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
        self.assertEqual(self.tried(said), [
            "doctor", "nvidia-smi", "prices-copies", "prices-products", "suite", "rungs", "end-to-end", "claims", "selftest",
            "models", "models-compiled", "sage", "prices-launches", "trace-naive", "trace-best", "prices-others", "ladder", "full-suite",
            "gpu-tests", "memcheck", "racecheck"])
        self.assertEqual(self.part("peers-stgym")["reason"], "no --peers DIR was given")
        self.assertIn("run stgym/* --device cuda --json results.json", self.called())
        rungs = next(call for call in self.called() if call.startswith("run stgym/device_indices "))
        self.assertTrue(rungs.endswith(" stgym/best_form --point unit=step --device cuda --json results.json"), rungs)

    def tried(self, said):
        return [line.split(":")[0] for line in said.stdout.splitlines() if "; at most" in line]

    def test_only_the_parts_that_were_asked_for_in_that_order(self):
        said = self.everything("--parts", "claims,doctor", FAKE_CUDA="ok")
        self.assertEqual((said.returncode, self.tried(said)), (0, ["claims", "doctor"]), said)
        self.assertNotIn("selftest", (self.out / "summary.txt").read_text())

    def test_a_part_that_is_not_there_is_refused_with_those_that_are(self):
        said = self.everything("--parts", "doctor,none")
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertRegex(said.stderr, r"^tuneproof: there is no part 'none' here \(have: doctor, [^\n]+\)\.\n$")
        self.assertFalse((self.out / "visit.json").exists())

    def measured(self, rows, prices=(), gpu="H1", options=None):
        """A folder of results: a row and its verdict, and prices."""
        machine = {"fingerprint": {"hard": {"machine": {"gpu": {"name": gpu}}}}}
        pairs = [{"id": row, "result": {"verdict": verdict}} for row, verdict in rows]
        self.write("results/h/a.json", json.dumps({"tuneproof": {**machine, "session": {"options": options or {}}, "pairs": pairs}}))
        self.write("results/h/prices.json", json.dumps({"context": {"gpu": gpu}, "benchmarks": [
            {"name": name, "real_time": 1.0} for name in prices]}))
        return self.root / "results"

    def skipping(self, folder, *more, **environment):
        return self.everything("--skip-measured", folder, *more, FAKE_CUDA="ok", FAKE_ROWS=ROWS,
                               FAKE_PRICE_ROWS="printf 'prices/a\\nprices/b\\n'", **environment)

    def test_rows_with_a_verdict_and_prices_that_results_have_are_left_out(self):
        folder = self.measured([("sync/a", "helps"), ("sync/b/n:1", "inconclusive")], ["prices/b"])
        said = self.skipping(folder, "--parts", "suite,prices-copies")
        self.assertEqual(said.returncode, 0, said)
        self.assertIn("run sync/b/n:1 --json results.json", self.called())
        self.assertIn("prices --benchmark_filter=^(prices/a)$ --benchmark_min_time=0.05 --benchmark_out=prices.json", self.called())

    def test_results_as_they_are_shipped_are_read_for_each_kind_of_GPU_that_they_hold(self):
        results = PROJECT / "results"
        contents = [json.loads(gzip.decompress(file.read_bytes())) for file in results.glob("h*/*.json.gz")]
        kinds = {measured.gpu_of(content.get("tuneproof", content)) for content in contents} - {None}
        self.assertGreaterEqual(len(kinds), 2)
        for gpu in sorted(kinds):
            with self.subTest(gpu):
                said = self.skipping(results, "--parts", "doctor", FAKE_GPU=gpu)
                self.assertEqual((said.returncode, self.tried(said)), (0, ["doctor"]), said)
                shutil.rmtree(self.out)

    def test_a_self_test_of_results_is_repeated_unless_it_proves_its_targets(self):
        for grade, state in [("open", "done"), ("C", "skipped")]:
            with self.subTest(grade):
                self.write("results/h/selftest.json", json.dumps({"schema": "tuneproof.selftest/1", "proves": {"grade": grade},
                           "fingerprint": {"hard": {"machine": {"gpu": {"name": "H1"}}}}, "pairs": [{"name": "selftest/a"}]}))
                said = self.skipping(self.root / "results", "--parts", "selftest")
                self.assertEqual((said.returncode, self.part("selftest")["state"]), (0, state), said)
                shutil.rmtree(self.out)

    def test_a_part_of_which_results_have_all_is_skipped_with_the_reason(self):
        folder = self.measured([("sync/a", "hurts"), ("sync/b/n:1", "no_effect")], ["prices/a", "prices/b"])
        said = self.skipping(folder, "--parts", "suite,prices-copies,doctor")
        self.assertEqual((said.returncode, self.tried(said)), (0, ["doctor"]), said)
        self.assertEqual(self.part("suite")["reason"], f"{folder} has a verdict on each of its rows")
        self.assertEqual(self.part("prices-copies")["state"], "skipped")

    def test_what_no_file_has_comes_before_what_only_lacks_a_verdict(self):
        folder = self.measured([("sync/a", "inconclusive"), ("sync/b/n:1", "helps")])
        rows = f"case \"$*\" in *claims*) printf 'sync/new  4 s\n' ;; *) {ROWS} ;; esac"
        said = self.everything("--skip-measured", folder, FAKE_CUDA="ok", FAKE_ROWS=rows)
        self.assertEqual(said.returncode, 0, said)
        tried = self.tried(said)
        self.assertLess(tried.index("doctor"), tried.index("claims"))
        for again in ["suite", "rungs", "models", "ladder"]:
            self.assertLess(tried.index("selftest"), tried.index(again), tried)
            self.assertLess(tried.index("claims"), tried.index(again), tried)

    def test_prices_that_were_cut_go_on_with_those_that_are_missing(self):
        price = """echo '{"benchmarks": [{"name": "prices/a"}]}' >prices.json; """
        common = ["--parts", "prices-copies"]
        child = subprocess.Popen(self.command("everything", "--out", self.out, "--minutes", "9", *common), cwd=self.root,
                                 env={**self.environment, "FAKE_CUDA": "ok", "FAKE_PRICES": price + "exec sleep 60"},
                                 stdout=subprocess.DEVNULL)
        while not (self.out / "prices-copies/prices.json").exists():
            time.sleep(0.05)
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        child.wait(60)
        said = self.everything(*common, FAKE_CUDA="ok", FAKE_PRICE_ROWS="printf 'prices/a\\nprices/b\\n'")
        self.assertEqual(said.returncode, 0, said)
        self.assertIn("prices --benchmark_filter=^(prices/b)$ --benchmark_min_time=0.05 --benchmark_out=prices-2.json", self.called())

    def test_results_of_another_kind_of_GPU_of_another_size_or_with_options_leave_nothing_out(self):
        rows = [("sync/a", "helps"), ("sync/b/n:1", "helps")]
        for folder in [self.measured(rows, gpu="H2"), self.measured(rows, options={"scale": "0.1"}),
                       self.measured(rows, options={"config": "{}"})]:
            self.assertEqual(self.skipping(folder, "--parts", "suite").returncode, 0)
            self.assertTrue(self.called()[-1].endswith("memory/* --suite quick --json results.json"), self.called()[-1])
            shutil.rmtree(self.out)

    def test_rows_beside_the_peers_are_measured_on_their_card_whatever_results_have(self):
        folder = self.measured([("sync/a", "helps"), ("stgym/inplace/unit:step", "helps")])
        self.program("kit/nvbandwidth", "#!/bin/bash\n")
        said = self.everything("--skip-measured", folder, "--peers", self.root / "kit", "--parts", "rungs", FAKE_CUDA="ok",
                               FAKE_ROWS="printf 'sync/a  4 s\\nstgym/inplace/unit:step  4 s\\n'")
        self.assertEqual(said.returncode, 0, said)
        self.assertEqual(self.called()[-1], "run stgym/inplace/unit:step --device cuda --json results.json")

    def test_results_that_cannot_be_read_are_one_sentence(self):
        folder = self.measured([])
        self.write("results/h/a.json", "{")
        said = self.skipping(folder)
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertRegex(said.stderr, r"^tuneproof: --skip-measured: \S[^\n]*a\.json cannot be read: [^\n]+\n$")

    def test_another_kind_of_GPU_is_not_mixed_in(self):
        self.everything("--parts", "doctor", FAKE_CUDA="ok")
        said = self.everything(FAKE_CUDA="ok", FAKE_GPU="H2")
        self.assertEqual(said.returncode, 1)
        self.assertIn("holds what a GPU of the kind H1 measured, and this is a GPU of the kind H2", said.stderr)

    def test_another_card_of_the_kind_is_taken_and_noted_with_each_part(self):
        self.everything("--parts", "doctor", FAKE_CUDA="ok")
        said = self.everything("--parts", "doctor,suite", FAKE_CUDA="ok", FAKE_CARD="GPU-2")
        self.assertEqual(said.returncode, 0, said)
        self.assertEqual((self.part("doctor")["cards"], self.part("suite")["cards"]), (["GPU-1"], ["GPU-2"]))
        self.assertIn("another card of the same kind: GPU-2", (self.out / "agenda.txt").read_text())
        self.assertEqual(json.loads((self.out / "visit.json").read_text())["cards"], ["GPU-1", "GPU-2"])

    def test_peers_are_measured_with_what_the_kit_has(self):
        self.program("kit/nvbandwidth", NVBANDWIDTH)
        said = self.everything("--peers", self.root / "kit", "--parts", "peers-copies,peers-stgym", FAKE_CUDA="ok")
        self.assertEqual(said.returncode, 0, said)
        lines = [json.loads(line) for line in (self.out / "peers-copies/peers.jsonl").read_text().splitlines()]
        self.assertEqual([(line["form"], line.get("rate_gb_s"), line["uuid"]) for line in lines][0],
                         ("host_to_device_memcpy_ce", 54.5, "GPU-1"))
        self.assertEqual(len(lines), 4)
        self.assertEqual(self.part("peers-stgym")["reason"], f"{self.root}/kit has no stgym-first")

    def test_what_has_ended_is_in_the_archive_and_the_agenda_while_the_next_part_runs(self):
        child = subprocess.Popen(self.command("everything", "--out", self.out, "--minutes", "9"), cwd=self.root,
                                 env={**self.environment, "FAKE_RUN": SLOW}, stdout=subprocess.DEVNULL)
        while not (self.out / "suite/results.json").exists():
            time.sleep(0.05)
        self.assertIn("visit/doctor/output-1.txt", self.packed_names())
        agenda = (self.out / "agenda.txt").read_text()
        self.assertRegex(agenda, r"\n\d\d:\d\d:\d\d doctor: done, exit code 0, \d+ s\n")
        self.assertNotIn(" end, ", agenda)
        child.send_signal(signal.SIGINT)
        child.wait(60)
        self.assertRegex((self.out / "agenda.txt").read_text(), r"\n\d\d:\d\d:\d\d end, exit code 130\n$")

    def test_started_in_a_session_of_its_own_it_outlives_the_call_that_started_it(self):
        words = " ".join(f"'{word}'" for word in self.command("everything", "--out", self.out, "--minutes", "9", "--parts",
                                                              "suite,doctor"))
        call = subprocess.Popen(["bash", "-c", f"setsid {words} >visit.log 2>&1 </dev/null & sleep 60"], cwd=self.root,
                                env={**self.environment, "FAKE_RUN": "touch begun; sleep 1; echo rows >results.json"},
                                start_new_session=True)
        while not (self.out / "suite/begun").exists():
            time.sleep(0.05)
        os.killpg(call.pid, signal.SIGKILL)
        call.wait()
        for _ in range(600):
            if " end, " in (self.out / "agenda.txt").read_text():
                break
            time.sleep(0.1)
        self.assertTrue((self.out / "agenda.txt").read_text().endswith(" end, exit code 0\n"))
        self.assertEqual(self.part("doctor")["state"], "done")

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
        said = self.everything("--short", FAKE_CUDA="ok")
        every = [part.name for part in plan.all_parts(parts.Machine("", "ok", 132)) if not part.name.startswith("peers-")]
        self.assertEqual(self.tried(said), every)
        self.assertIn("prices-copies: what copies cost; at most 5 s", said.stdout)
        self.assertIn("run stgym/device_indices stgym/fused_pooling stgym/cuda_graph --point unit=step --device cuda "
                      "--scale 0.002 --json results.json", self.called())

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

    def test_a_part_that_failed_is_repeated_only_where_it_is_named(self):
        self.assertEqual(self.everything("--parts", "doctor,suite", FAKE_RUN="echo broken; exit 1").returncode, 1)
        self.assertEqual(self.everything().returncode, 1)
        self.assertEqual(self.part("suite")["tries"], 1)
        self.assertEqual(self.everything("--parts", "doctor,suite").returncode, 0)
        self.assertEqual((self.part("suite")["tries"], self.part("doctor")["tries"]), (2, 1))

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
        for arguments in [("--out", "x", "--minutes", "3", "--parts", ","), ("--out", "x", "--minutes", "3", "--peers", "none"),
                          ("--out", "x", "--minutes", "3", "--skip-measured", "."), ("--out", "x"), ("--out", "x", "--minutes", "0"), ("--out", "x", "--minutes", "many"),
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
