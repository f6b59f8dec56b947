"""`tuneproof diagnose` from outside. Usage: diagnose.test.py TUNEPROOF"""

import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent


def call(*arguments):
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    return subprocess.run([PROGRAM, "diagnose", *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          env=environment)


def event(category, name, ts, dur, **args):
    return {"ph": "X", "cat": category, "name": name, "pid": 1, "tid": args.pop("tid", 1), "ts": ts, "dur": dur,
            "args": args}


def slow_loader(rank=0):
    """Five steps of 10 ms, of which the data loader takes six."""
    events = []
    for step in range(5):
        t = step * 10000
        events += [
            event("user_annotation", f"ProfilerStep#{step}", t, 9999),
            event("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", t, 6000),
            event("cuda_runtime", "cudaLaunchKernel", t + 6000, 5, correlation=step + 1),
            event("kernel", "ampere_sgemm_128x64_nn", t + 6010, 3980, correlation=step + 1, device=0, stream=7, tid=7),
        ]
    return {"distributedInfo": {"rank": rank, "world_size": 2}, "traceEvents": events,
            "deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-40GB", "totalGlobalMem": 42505273344}]}


class Diagnose(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.trace = os.path.join(self.folder, "trace.json.gz")
        with gzip.open(self.trace, "wt") as file:
            json.dump(slow_loader(), file)

    def test_the_verdict_is_printed_with_its_evidence(self):
        said = call(self.trace)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("VERDICT: input-bound", said.stdout)
        self.assertIn("data_loader_wait", said.stdout)
        self.assertNotIn("\x1b", said.stdout)

    def test_no_step_is_named_that_the_suite_does_not_have(self):
        listed = subprocess.run([PROGRAM, "list", "--json"], capture_output=True, text=True, timeout=120, check=True)
        steps = {step["id"] for step in json.loads(listed.stdout)["steps"]}
        named = {step for finding in json.loads(call(self.trace, "--json", "-").stdout)["findings"]
                 for step in finding["steps"]}
        self.assertTrue(named)
        self.assertLessEqual(named, steps)

    def test_a_finding_named_by_fail_on_exits_with_2_and_another_with_0(self):
        failed = call(self.trace, "--fail-on", "item_sync,data_loader_wait")
        self.assertEqual(failed.returncode, 2)
        self.assertEqual(failed.stderr.count("\n"), 1)
        self.assertEqual(call(self.trace, "--fail-on", "item_sync").returncode, 0)

    def test_json_goes_to_a_file_beside_the_report_or_alone_to_standard_output(self):
        file = os.path.join(self.folder, "out.json")
        self.assertIn("VERDICT", call(self.trace, "--json", file).stdout)
        with open(file) as written:
            self.assertEqual(json.load(written), json.loads(call(self.trace, "--json", "-").stdout))

    def test_a_folder_is_read_as_ranks(self):
        with open(os.path.join(self.folder, "other.json"), "w") as file:
            json.dump(slow_loader(rank=1), file)
        self.assertIn("RANKS: 2", call(self.folder).stdout)

    def test_of_a_folder_the_files_named_as_traces_are_read(self):
        os.rename(self.trace, os.path.join(self.folder, "host.pt.trace.json"))
        with open(os.path.join(self.folder, "config.json"), "w") as file:
            file.write("{}")
        said = call(self.folder)
        self.assertEqual(said.returncode, 0)
        self.assertNotIn("RANKS", said.stdout)

    def test_traces_that_are_no_ranks_of_one_run_are_refused(self):
        same = os.path.join(self.folder, "same.json")
        with open(same, "w") as file:
            json.dump(slow_loader(rank=0), file)
        said = call(self.trace, same)
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertIn("both say that they are rank 0", said.stderr)
        self.assertNotIn("is a folder", said.stderr)

    def test_a_folder_whose_traces_are_no_ranks_is_said_to_be_one_and_names_its_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "abcde":
                with open(os.path.join(folder, name + ".json"), "w") as file:
                    json.dump(slow_loader(rank=0), file)
            said = call(folder)
            names = ", ".join(os.path.join(folder, name) for name in ["a.json", "b.json", "c.json"])
            self.assertEqual(said.returncode, 1)
            self.assertIn(f"; {folder} is a folder, which stands for the ranks of one run; its files: {names} and 2 more\n",
                          said.stderr)
            with open(os.path.join(folder, "b.json"), "w") as file:
                file.write("{}")
            self.assertIn(f"{folder} is a folder", call(folder).stderr)

    def test_a_trace_comes_through_a_pipe(self):
        with open(self.trace, "rb") as file:
            text = file.read()
        said = subprocess.run([PROGRAM, "diagnose", "-"], input=text, capture_output=True, timeout=120, check=True)
        self.assertIn(b"input-bound", said.stdout)

    def test_a_check_passes_only_where_its_finding_is_looked_for(self):
        host = os.path.join(self.folder, "host.json")
        with open(host, "w") as file:
            json.dump({"traceEvents": [event("cpu_op", "aten::mm", 0, 1000)]}, file)
        for trace, finding, reason in [(host, "item_sync", "no device events"), (self.trace, "small_batch", "device events")]:
            said = call(trace, "--fail-on", finding)
            self.assertEqual((said.returncode, said.stdout), (1, ""))
            self.assertIn(f"this trace has {reason}, so --fail-on {finding} has no answer", said.stderr)
        self.assertEqual(call(host, "--fail-on", "small_batch").returncode, 0)

    def test_steps_and_phase_narrow_each_other(self):
        def spans(*arguments):
            return json.loads(call(self.trace, "--json", "-", *arguments).stdout)["verdict"]["window_us"]
        name = next(e["name"] for e in slow_loader()["traceEvents"] if "DataLoader" in e["name"])
        self.assertLess(spans("--phase", name, "--steps", "2"), spans("--phase", name))

    def test_control_characters_of_names_do_not_reach_the_terminal(self):
        trace = slow_loader()
        trace["traceEvents"].append(event("cpu_op", "aten::\x1b[31mred\nline", 0, 1_000_000))
        with open(self.trace, "w") as file:
            json.dump(trace, file)
        self.assertIn("aten::?[31mred?line", call(self.trace).stdout)

    def test_what_the_file_has_wrong_is_remarked_and_the_rest_is_judged(self):
        broken = json.dumps(slow_loader())[:-1] + "} {}"
        with open(self.trace, "w") as file:
            file.write(broken.replace('"dur": 3980', '"dur": -1', 1))
        said = call(self.trace)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("Remark: left out, because it lasts less than 0: event 4", said.stdout)
        self.assertIn("1 of 5 launches have no kernel in the trace", " ".join(said.stdout.split()))
        self.assertEqual(len(json.loads(call(self.trace, "--json", "-").stdout)["traces"][0]["remarks"]), 3)

    def test_a_file_that_is_no_trace_is_refused_by_what_it_is(self):
        for content, what in [(b"version https://git-lfs.github.com/spec/v1\nsize 1\n", "a Git LFS pointer"),
                              (b"PK\x03\x04\x14\x00", "a zip archive"),
                              (json.dumps(slow_loader()).encode("utf-16"), "UTF-16"),
                              (gzip.compress(b"BZh91AY"), "packed by bzip2"),
                              (b'[{"ph":"X","cat":"v8","name":"f","pid":1,"tid":1,"ts":1,"dur":2}]', "Chrome")]:
            with self.subTest(what):
                with open(self.trace, "wb") as file:
                    file.write(content)
                said = call(self.trace)
                self.assertEqual((said.returncode, said.stdout, said.stderr.count("\n")), (1, "", 1))
                self.assertIn(what, said.stderr)

    def test_a_trace_against_itself_shows_no_difference(self):
        said = call(self.trace, "--against", self.trace, "--json", "-")
        self.assertEqual(json.loads(said.stdout)["device_time_us"], [])

    def test_a_diagnosis_never_takes_the_place_of_its_trace(self):
        for words in [self.trace, "--json", self.trace], [self.trace, "--against", self.trace, "--json", self.trace]:
            before = pathlib.Path(self.trace).read_bytes()
            said = call(*words)
            self.assertEqual((said.returncode, said.stdout), (1, ""))
            self.assertIn("would overwrite", said.stderr)
            self.assertEqual(pathlib.Path(self.trace).read_bytes(), before)

    def test_only_the_parts_that_are_asked_for_are_printed(self):
        said = call(self.trace, "--only", "time")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("The device's time", said.stdout)
        for other in ["VERDICT", "input-bound", "WHAT WOULD PAY", "STEPS", "HOST", "OPERATORS"]:
            self.assertNotIn(other, said.stdout)
        parts = ["verdict", "time", "findings", "steps", "device", "host", "phases", "kernels", "operators"]
        self.assertEqual(call(self.trace, "--only", ",".join(parts)).stdout, call(self.trace).stdout)

    def test_steps_are_chosen_by_number(self):
        steps = json.loads(call(self.trace, "--steps", "2..3", "--json", "-").stdout)["steps"]
        self.assertEqual([step["name"] for step in steps], ["ProfilerStep#2", "ProfilerStep#3"])

    def test_wrong_input_is_one_sentence_and_exit_1(self):
        text = os.path.join(self.folder, "notes.txt")
        with open(text, "w") as file:
            file.write("no trace\n")
        empty = os.path.join(self.folder, "empty")
        os.mkdir(empty)
        for arguments in [[text], [empty], ["missing.json"], [self.trace, "--steps", "7"], [self.trace, "--steps", "b"],
                          [self.trace, "--phase", "nothing"], [self.trace, "--fail-on", "item_sinc"],
                          [self.trace, "--sort", "color"], [self.trace, "--only", "color"], [self.trace, "--against", "missing.json"],
                          [self.trace, "--json", "missing/out.json"], []]:
            with self.subTest(arguments):
                said = call(*arguments)
                self.assertEqual((said.returncode, said.stdout), (1, ""))
                self.assertEqual(said.stderr.count("\n"), 1)
                self.assertTrue(said.stderr.startswith("tuneproof: "))


class Peaks(unittest.TestCase):
    """The best step that an H200 recorded, as if another device had: its peaks, and whose they are."""
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        with gzip.open(PROJECT / "tests/golden/h200/best_step.trace.json.gz", "rt") as file:
            self.trace = json.load(file)

    def diagnosed(self, name, gib=0, multiprocessors=0, *options):
        for device in self.trace["deviceProperties"]:
            device.update(name=name, totalGlobalMem=gib << 30, numSms=multiprocessors)
        (self.folder / "trace.json").write_text(json.dumps(self.trace))
        return call(self.folder / "trace.json", *options)

    def peaks(self, *device):
        text = " ".join(self.diagnosed(*device).stdout.split())
        return text[text.index("Peaks of"):text.index("OPERATORS")]

    def source(self, *device):
        return json.loads(self.diagnosed(*device, "--json", "-").stdout)["traces"][0]["peaks_source"]

    def test_each_device_has_the_peaks_of_its_sheet_and_its_source(self):
        for name, gib, rate, fp32, document in [
                ("NVIDIA B200", 178, "8000 GB/s", "(75.0 TFLOP/s)", "NVIDIA HGX B200"),
                ("NVIDIA GB200", 184, "8000 GB/s", "(80.0 TFLOP/s)", "NVIDIA GB200 NVL72"),
                ("NVIDIA B300 SXM6 AC", 268, "8000 GB/s", "(75.0 TFLOP/s)", "NVIDIA HGX B200 and B300"),
                ("NVIDIA GH200 480GB", 95, "4000 GB/s", "(67.0 TFLOP/s)", "NVIDIA GH200"),
                ("NVIDIA H800", 79, "3350 GB/s", "(67.0 TFLOP/s)", "NVIDIA H800 data sheet"),
                ("NVIDIA H20", 95, "4000 GB/s", "(44.0 TFLOP/s)", "NVIDIA H20 data sheet"),
                ("NVIDIA GeForce RTX 5090", 32, "1792 GB/s", "(105 TFLOP/s)", "NVIDIA RTX Blackwell white paper"),
                ("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 95, "1792 GB/s", "(125 TFLOP/s)", "RTX PRO 6000"),
                ("NVIDIA L40S", 44, "864 GB/s", "(91.6 TFLOP/s)", "NVIDIA L40S data sheet"),
                ("NVIDIA A10G", 22, "600 GB/s", "(31.5 TFLOP/s)", "NVIDIA A10G data sheet"),
                ("NVIDIA A40", 44, "696 GB/s", "(37.4 TFLOP/s)", "NVIDIA A40 data sheet"),
                ("AMD Instinct MI300X", 192, "5300 GB/s", "(163 TFLOP/s)", "AMD Instinct MI300X data sheet")]:
            with self.subTest(name):
                text = self.peaks(name, gib)
                self.assertIn(rate, text)
                self.assertIn(f"FP32 {fp32}", text)
                self.assertIn(document, self.source(name, gib, 0))

    def test_a_slice_has_its_share(self):
        text = self.peaks("NVIDIA H200 MIG 1g.18gb", 16, 16)
        self.assertIn("Peaks of H200 (SXM), MIG 1g.18gb: 600 GB/s", text)
        self.assertIn("FP32 (8.12 TFLOP/s)", text)
        self.assertIn("12.1 % of the multiprocessors, 12.5 % of the memory's rate", self.source("NVIDIA H200 MIG 1g.18gb", 16, 16))

    def test_peaks_that_prices_measured_go_before_the_sheet(self):
        prices = self.folder / "prices.json"
        row = {"run_type": "iteration", "name": "prices/product/device/fp32/n:4096/manual_time", "FLOP/s": 51e12}
        prices.write_text(json.dumps({"context": {"gpu": "NVIDIA H200"}, "benchmarks": [row]}))
        text = self.peaks("NVIDIA H200", 140, 132, "--peaks", prices)
        self.assertIn("4800 GB/s", text)
        self.assertIn("FP32 (51.0 TFLOP/s)", text)
        self.assertIn(f"measured: {prices}", text)
        refused = self.diagnosed("NVIDIA A30", 24, 56, "--peaks", prices)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("its prices are of NVIDIA H200, the trace is of NVIDIA A30", refused.stderr)

    def test_prices_that_lie_in_the_folder_go_before_the_sheet_of_their_own_device_alone(self):
        row = {"run_type": "iteration", "name": "prices/product/device/fp32/n:4096/manual_time", "FLOP/s": 51e12}
        (self.folder / "prices.json").write_text(json.dumps({"context": {"gpu": "NVIDIA H200"}, "benchmarks": [row]}))
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for name, peak in [("NVIDIA H200", "FP32 (51.0 TFLOP/s)"), ("NVIDIA A30", "FP32 (10.3 TFLOP/s)")]:
            with self.subTest(name):
                self.assertIn(peak, self.peaks(name))


class Example(unittest.TestCase):
    """docs/example_diagnosis.txt, which --help shows whole, is what the program prints today.

    With TUNEPROOF_WRITE_GOLDEN=1 it is written anew; then read the difference before it is committed.
    """
    def setUp(self):
        self.kept = PROJECT / "docs/example_diagnosis.txt"

    def test_it_is_what_the_program_prints(self):
        traces = pathlib.Path(os.environ.get("TUNEPROOF_TRACES_DIR", PROJECT.parent / "shared/traces"))
        command = self.kept.read_text().splitlines()[0]
        file, *options = command.removeprefix("$ tuneproof diagnose ").split()
        if not (traces / file).exists():
            self.skipTest(f"{file} is not in {traces}")
        said = call(traces / file, *options).stdout
        printed = "".join(f"{line.rstrip()}\n" for line in [command, *said.splitlines()])
        if "TUNEPROOF_WRITE_GOLDEN" in os.environ:
            self.kept.write_text(printed)
        self.assertEqual(self.kept.read_text(), printed)

    def test_help_shows_it_whole(self):
        self.assertIn(self.kept.read_text().rstrip(), call("--help").stdout)


if __name__ == "__main__":
    unittest.main()
