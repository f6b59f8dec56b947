"""`tuneproof simulate`: what it prints and writes, and that no command takes its files for measurements.

Usage: simulate.test.py TUNEPROOF PROJECT
"""

import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PROJECT = str(pathlib.Path(sys.argv.pop(1)).resolve()), pathlib.Path(sys.argv.pop(1)).resolve()
MACHINE = PROJECT / "results/cpu-amd-epyc-2-cores"
RUN = MACHINE / "2026-11-21-1697d9f.json.gz"
PUBLISHED = PROJECT / "tests/golden/simulated_published.txt"
STEP = json.loads(gzip.decompress(RUN.read_bytes()))["tuneproof"]["pairs"][0]["step"]
COPY = {"do": "copy", "way": "h2d", "bytes": 16 << 20}
KERNEL = {"do": "kernel", "name": "add", "bytes": 64 << 20, "operator": True}


def recording(*forms):
    return {"tuneproof": {"schema": "tuneproof.recording", "schema_version": {"major": 1, "minor": 0}},
            "rows": [{"row": "made/up/n:1/device:cuda", "forms": [
                {"form": name, "entries": entries} for name, entries in zip(("naive", "optimized"), forms)]}]}


class Simulate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("calls.json", recording([{**COPY, "pageable": True}, KERNEL], [COPY, KERNEL]))

    def write(self, name, content):
        (self.folder / name).write_text(json.dumps(content))

    def call(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, cwd=self.folder,
                              stdin=subprocess.DEVNULL)

    def simulate(self, *arguments):
        said = self.call("simulate", "--from", "calls.json", *arguments)
        self.assertEqual(said.returncode, 0, said.stderr)
        return said.stdout

    def refused(self, *arguments):
        said = self.call("simulate", *arguments)
        self.assertEqual((said.returncode, said.stdout), (1, ""), said)
        self.assertRegex(said.stderr, r"\Atuneproof: [^\n]+\n\Z")
        return said.stderr


class Output(Simulate):
    def test_the_table_says_that_no_gpu_took_part(self):
        out = self.simulate("--gpu", "a30,t4")
        self.assertTrue(out.startswith("SIMULATED: no GPU took part."))
        self.assertIn("A30", out)
        self.assertIn("T4", out)

    def test_the_times_are_those_of_the_model(self):
        """16 MiB at 31.5 GB/s x 0.78 or staged at 6 GB/s, then 64 MiB at 933 GB/s x 0.8, by hand."""
        rows = json.loads(self.simulate("--gpu", "a30", "--set", "staging_rate=6", "--json", "-"))["simulated"]
        naive, optimized = (form["simulated_seconds"] for form in rows[0]["forms"])
        kernel, start = 2e-6 + (64 << 20) / (933e9 * 0.8), 1.5e-6
        # The call, the way to the device, the copy; pageable: the way back, the next call and its way.
        self.assertAlmostEqual(optimized, 3e-6 + 2e-6 + start + (16 << 20) / (31.5e9 * 0.78) + 1e-6 + kernel, delta=3e-9)
        self.assertAlmostEqual(naive, 3e-6 + 2e-6 + start + (16 << 20) / 6e9 + 3e-6 + 7e-6 + 2e-6 + kernel, delta=3e-9)

    def test_the_same_recording_gives_the_same_file(self):
        first, second = (self.simulate("--gpu", "a30,h200", "--json", "-") for _ in range(2))
        self.assertEqual(first, second)

    def test_a_changed_value_changes_the_times(self):
        self.assertNotEqual(self.simulate("--gpu", "a30"), self.simulate("--gpu", "a30", "--set", "staging_rate=12"))

    def test_a_sweep_shows_where_a_tip_stops_paying(self):
        line = self.simulate("--gpu", "a30", "--sweep", "staging_rate=1..24").splitlines()[-1].split()
        self.assertLess(float(line[-8]), -80)
        self.assertGreater(float(line[-1]), -10)

    def test_a_gpu_from_a_file(self):
        self.write("mine.json", {"name": "mine", "title": "My GPU", "link_generation": [4, "me"], "compute_capability": [9, "me"],
                                 "memory_rate": [100, "me"], "multiprocessors": [10, "me"]})
        self.assertIn("My GPU", self.simulate("--gpu", "mine.json"))

    def test_a_row_with_uncounted_work_is_not_simulated(self):
        self.write("calls.json", recording([{"do": "kernel", "name": "ours", "uncounted": True}], [KERNEL]))
        self.assertIn("cannot simulate: the work of 'ours' is not counted", self.simulate("--gpu", "a30"))

    def test_a_row_that_needs_a_rate_the_sheet_lacks_is_not_simulated(self):
        self.write("calls.json", recording([{**KERNEL, "flop": 1e12, "unit": "tf32"}], [KERNEL]))
        self.assertIn("cannot simulate: V100 (SXM2): the value 'tf32' is not known", self.simulate("--gpu", "v100"))

    def test_published_figures_stand_beside_simulated_ones(self):
        said = self.call("simulate", "--published")
        self.assertEqual(said.returncode, 0, said.stderr)
        if os.environ.get("TUNEPROOF_WRITE_GOLDEN"):
            PUBLISHED.write_text(said.stdout)
        self.assertEqual(said.stdout, PUBLISHED.read_text())

    def test_each_time_has_an_interval_around_it(self):
        row = json.loads(self.simulate("--gpu", "a30", "--json", "-"))["simulated"][0]
        for form in row["forms"]:
            low, high = form["interval"]
            self.assertTrue(low < form["simulated_seconds"] < high, form)
        low, high = row["ratio_interval"]
        self.assertTrue(low <= row["simulated_ratio"] <= high, row)

    def test_several_gpus_stand_side_by_side(self):
        heads = next(line for line in self.simulate("--gpu", "a30,t4").splitlines() if "change of" in line)
        self.assertIn("on A30", heads)
        self.assertIn("on T4", heads)

    def test_the_time_lines_as_text(self):
        out = self.simulate("--gpu", "a30", "--lines")
        self.assertEqual(len(re.findall(r"^  host      \|.{64}\|$", out, re.M)), 2)
        self.assertEqual(len(re.findall(r"^  copies in \|.{64}\|$", out, re.M)), 2)

    def test_the_host_of_a_price_list(self):
        prices = json.loads(sorted(MACHINE.glob("prices-*.json"))[-1].read_text())
        self.assertIn("an interval needs 5", self.refused("--from", "calls.json", "--gpu", "a30", "--host",
                                                          sorted(MACHINE.glob("prices-*.json"))[-1]))
        prices["benchmarks"] *= 5  # as if each had been repeated
        self.write("prices.json", prices)
        prices = "prices.json"
        self.assertNotEqual(self.simulate("--gpu", "a30"), self.simulate("--gpu", "a30", "--host", prices))
        self.assertIn("known are python, cpp", self.refused("--from", "calls.json", "--gpu", "a30", "--host", "none"))
        self.assertIn("not a price list", self.refused("--from", "calls.json", "--gpu", "a30", "--host", "calls.json"))

    def test_a_note_of_the_recording_is_told_and_kept(self):
        self.write("calls.json", {**recording([KERNEL], [KERNEL]), "note": "Recorded small."})
        said = self.call("simulate", "--from", "calls.json", "--gpu", "a30", "--json", "out.json")
        self.assertIn("tuneproof: Recorded small.", said.stderr)
        self.assertEqual(json.loads((self.folder / "out.json").read_text())["recording"], "Recorded small.")

    def test_scales_are_for_recording(self):
        self.assertIn("three scales", self.refused("no/such", "--gpu", "a30", "--scales", "1/2,1"))
        self.assertIn("none is selected", self.refused("sync/async_launch", "--gpu", "a30", "--scales", "1/4,1/2,1"))

    def test_steps_may_follow_the_gpus(self):
        self.assertIn("no step or row matches 'no/such'", self.refused("--gpu", "a30", "no/such"))

    def test_wrong_input_is_one_sentence(self):
        self.assertIn("which GPU", self.refused("--from", "calls.json"))
        self.assertIn("which rows", self.refused("--gpu", "a30"))
        self.assertIn("--suite", self.refused("--from", "calls.json", "--gpu", "a30", "--suite", "quick"))
        self.assertIn("no source", self.refused("--from", "calls.json", "--gpu", "orin"))
        self.assertIn("did you mean", self.refused("--from", "calls.json", "--gpu", "a31"))
        self.assertIn("--set", self.refused("--from", "calls.json", "--gpu", "a30", "--set", "lunch=1"))
        self.assertIn("--sweep", self.refused("--from", "calls.json", "--gpu", "a30", "--sweep", "launch=2..1"))
        self.write("calls.json", {"rows": []})
        self.assertIn("calls.json: not a recording", self.refused("--from", "calls.json", "--gpu", "a30"))

    def test_no_option_is_dropped_without_a_word(self):
        value = {"STEPS": ["sync/*"], "--gpu": ["--gpu", "a30"], "--from": ["--from", "calls.json"], "--record": ["--record", "new.json"],
                 "--set": ["--set", "launch=1"], "--host": ["--host", "cpp"], "--scales": ["--scales", "1,2,3"],
                 "--sweep": ["--sweep", "launch=1..2"], "--suite": ["--suite", "quick"], "--timeout": ["--timeout", "1m"],
                 "--point": ["--point", "n=1"], "--json": ["--json", "new.json"], "--trace": ["--trace", "new"], "--lines": ["--lines"]}
        pairs = [("--published", option) for option in value]
        pairs += [("--from", option) for option in ["STEPS", "--suite", "--point", "--record", "--scales", "--timeout"]]
        pairs += [("--sweep", option) for option in ["--json", "--trace", "--lines"]]
        gpu = value["--gpu"]
        for given, useless in pairs:
            rows = [] if given in ("--published", "--from") else value["--from"]
            asked = ["--published"] if given == "--published" else [*gpu, *rows, *value[given]]
            with self.subTest(given=given, useless=useless):
                self.assertRegex(self.refused(*asked, *value[useless]), rf"simulate: {given} .*; leave out {useless}\n")
        self.assertIn("leave out --lines", self.refused(*gpu, *value["--from"], "--json", "-", "--lines"))
        self.assertIn("leave out --set launch=1", self.refused(*gpu, *value["--from"], *value["--set"], *value["--sweep"]))
        self.assertIn("changes launch twice", self.refused(*gpu, *value["--from"], *value["--set"], "--set", "launch=2"))
        self.assertIn("--gpu a30 is given twice", self.refused(*gpu, *gpu, *value["--from"]))
        self.assertIn("one row on one GPU", self.refused("--gpu", "a30,t4", *value["--from"], "--trace", "new"))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["calls.json"])

    def test_a_trace_of_several_rows_is_refused_before_they_are_recorded(self):
        said = self.call("simulate", "sync/*", "--gpu", "a30", "--trace", "line", "--record", "new.json")
        self.assertEqual(said.returncode, 1)
        self.assertRegex(said.stderr, r"^tuneproof: simulate: --trace shows one row, and these are \d+; select one\n$")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["calls.json"])

    def test_no_output_takes_the_place_of_an_input_or_of_another_output(self):
        calls = (self.folder / "calls.json").read_text()
        (self.folder / "line-naive.json").write_text(calls)
        gpu, read = ["--gpu", "a30"], ["--from", "calls.json"]
        for arguments in [[*gpu, *read, "--json", "./calls.json"], [*gpu, "--from", "line-naive.json", "--trace", "line"],
                          [*gpu, *read, "--trace", "new", "--json", "new-naive.json"], ["--gpu", "mine.json", *read, "--json", "mine.json"],
                          [*gpu, *read, "--host", "prices.json", "--json", "prices.json"],
                          [*gpu, "sync/*", "--record", "new.json", "--json", "new.json"]]:
            with self.subTest(arguments):
                self.assertIn("would overwrite", self.refused(*arguments))
        self.assertEqual({path.read_text() for path in self.folder.iterdir()}, {calls})

    def test_an_option_without_its_value_is_refused(self):
        for option in ["--json", "--trace", "--record", "--host", "--sweep"]:
            rows = ["sync/*"] if option == "--record" else ["--from", "calls.json"]
            with self.subTest(option):
                self.assertIn(f"{option} is empty", self.refused("--gpu", "a30", *rows, option, ""))
        self.assertIn("write files", self.refused("--gpu", "a30", "--from", "calls.json", "--trace", "-"))

    def test_a_gpu_that_was_changed_says_so_wherever_it_is_named(self):
        changed = ["--gpu", "a30", "--set", "launch=1.5", "--host", "cpp"]
        self.assertIn(" A30 (", self.simulate(*changed))
        self.assertIn("A30 (launch=1.5, host cpp)", self.simulate(*changed, "--json", "-"))
        self.assertIn('"simulated_on": "A30"', self.simulate("--gpu", "a30", "--json", "-"))

    def test_a_sheet_cannot_take_the_name_of_a_gpu_that_is_known(self):
        sheet = {"name": "mine", "title": "A30", "link_generation": [4, "me"], "compute_capability": [9, "me"]}
        self.write("mine.json", sheet)
        self.assertIn("A30 (mine.json)", self.simulate("--gpu", "mine.json"))
        self.write("mine.json", {**sheet, "title": ""})
        self.assertIn("mine.json.title: a title is needed", self.refused("--from", "calls.json", "--gpu", "mine.json"))
        self.write("mine.json", {**sheet, "link_generation": [4, ""]})
        self.assertIn("a source is needed", self.refused("--from", "calls.json", "--gpu", "mine.json"))

    def test_no_share_is_above_1_and_no_device_has_three_engines(self):
        for setting in ["memory_share=5", "link_share=1.01", "copy_engines=3"]:
            self.assertIn("at most 1" if "share" in setting else "from 1 to 2",
                          self.refused("--from", "calls.json", "--gpu", "a30", "--set", setting))
        self.assertIn("known are", self.refused("--from", "calls.json", "--gpu", "a30", "--set", "pcie=1"))

    def test_a_file_that_is_none_is_one_sentence(self):
        ask = ["--gpu", "a30", "--from"]
        (self.folder / "empty.json").write_text("")
        (self.folder / "half.json").write_text((self.folder / "calls.json").read_text()[:99])
        self.write("prices.json", {"context": {}, "benchmarks": []})
        self.write("huge.json", recording([{**KERNEL, "bytes": 1e300}], [KERNEL]))
        self.write("alone.json", recording([KERNEL]))
        for file in ["empty.json", "half.json", ".", "none.json", "prices.json", RUN, "huge.json", "alone.json"]:
            with self.subTest(file):
                self.assertIn(str(file), self.refused(*ask, file))

    def test_a_reader_that_has_seen_enough_ends_it_quietly(self):
        command = f"'{PROGRAM}' simulate --from calls.json --gpu a30,t4 | head -1"
        said = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120, cwd=self.folder)
        self.assertEqual((said.returncode, said.stderr), (0, ""))


class Trace(Simulate):
    """`diagnose` judges a simulated time line as it judges a recorded one, and says that it is none."""
    MIB = 1 << 20
    SMALL = {"do": "kernel", "name": "aten::add.Tensor", "bytes": 4096, "operator": True}
    PRODUCT = {"do": "kernel", "name": "aten::mm", "bytes": 3 * 4 * MIB, "flop": 2e9, "unit": "fp32", "operator": True}

    def diagnosed(self, *entries):
        self.write("calls.json", recording(list(entries), [KERNEL]))
        self.simulate("--gpu", "a30", "--trace", "line")
        said = self.call("diagnose", "line-naive.json", "--json", "diagnosis.json")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertTrue(said.stdout.startswith("SIMULATED: no GPU took part."), said.stdout[:200])
        return json.loads((self.folder / "diagnosis.json").read_text())

    def findings(self, *entries):
        return {finding["id"] for finding in self.diagnosed(*entries)["findings"]}

    def test_it_says_that_it_is_simulated_and_on_what(self):
        diagnosis = self.diagnosed(KERNEL)
        self.assertEqual((diagnosis["traces"][0]["simulated"], diagnosis["traces"][0]["device"]), (True, "simulated A30"))

    def test_copies_from_pageable_and_pinned_memory_are_told_apart(self):
        pageable, pinned = {**COPY, "pageable": True}, COPY
        self.assertIn("pageable_copies_in", self.findings(*[pageable, self.PRODUCT] * 10))
        found = self.findings(*[pinned, self.PRODUCT] * 10)
        self.assertIn("exposed_copies_in", found)
        self.assertNotIn("pageable_copies_in", found)
        copies = self.diagnosed(pageable, pinned, {**COPY, "way": "d2h"}, {**COPY, "way": "d2h", "pageable": True})["device"][0]["copies"]
        self.assertEqual({(copy["direction"], copy["host_memory"], copy["bytes"]) for copy in copies},
                         {(way, memory, 16 * self.MIB) for way in ("HtoD", "DtoH") for memory in ("pageable", "pinned")})

    def test_waits_for_the_device_are_found(self):
        self.assertIn("sync_calls", self.findings(*[self.PRODUCT, {"do": "synchronize"}] * 20))

    def test_small_kernels_are_bound_by_their_launches(self):
        diagnosis = self.diagnosed(*[self.SMALL] * 200)
        self.assertEqual(diagnosis["verdict"]["regime"], "overhead/sync-bound")
        self.assertIn("launch_gaps", {finding["id"] for finding in diagnosis["findings"]})
        self.assertEqual(diagnosis["launches"], 200)

    def test_products_are_what_the_device_does(self):
        diagnosis = self.diagnosed(*[{**self.PRODUCT, "flop": 2e10}] * 50)
        self.assertEqual(diagnosis["verdict"]["regime"], "compute-bound")
        self.assertEqual(diagnosis["kernels"][0]["top"][0]["kind"], "matrix products")

    def test_operators_hold_their_calls(self):
        host = {"do": "compute", "name": "aten::arange", "operator": True, "bytes": 1e8}
        self.diagnosed(self.PRODUCT, host, {"do": "compute", "name": "loop", "us": 5}, {"do": "synchronize"}, {**COPY, "pageable": True})
        events = [event for event in json.loads((self.folder / "line-naive.json").read_text())["traceEvents"] if event["ph"] == "X"]
        named = [(event["cat"], event["name"]) for event in events]
        self.assertEqual(named, [("user_annotation", "ProfilerStep#0"), ("cpu_op", "aten::mm"), ("cuda_runtime", "cudaLaunchKernel"),
                                 ("cpu_op", "aten::arange"), ("host", "loop"), ("cuda_runtime", "cudaDeviceSynchronize"),
                                 ("cuda_runtime", "cudaMemcpyAsync"), ("kernel", "sgemm_of_mm"),
                                 ("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)")])
        operator, launch, copy, kernel = events[1], events[2], events[6], events[7]
        self.assertAlmostEqual(launch["ts"], operator["ts"] + 4)  # the dispatch
        self.assertAlmostEqual(launch["ts"] + launch["dur"], operator["ts"] + operator["dur"])
        self.assertEqual(kernel["args"]["correlation"], launch["args"]["correlation"])
        self.assertGreater(copy["dur"], 1000, "a copy from pageable memory holds its call")

    def test_a_simulated_trace_is_compared_with_no_recorded_one(self):
        self.diagnosed(KERNEL)
        recorded = json.loads((self.folder / "line-naive.json").read_text())
        del recorded["simulated"], recorded["deviceProperties"]
        self.write("recorded.json", recorded)
        for one, other in [("line-naive.json", "recorded.json"), ("recorded.json", "line-naive.json")]:
            said = self.call("diagnose", one, "--against", other)
            self.assertEqual((said.returncode, said.stdout), (1, ""), said)
            self.assertIn("line-naive.json is simulated and recorded.json was recorded", said.stderr)
        both = self.call("diagnose", "line-naive.json", "--against", "line-optimized.json")
        self.assertTrue(both.stdout.startswith("SIMULATED: no GPU took part."), both)

    def test_an_arrow_leads_from_each_call_to_its_command(self):
        self.diagnosed(KERNEL)
        events = json.loads((self.folder / "line-naive.json").read_text())["traceEvents"]
        begins, ends = ([event["id"] for event in events if event["ph"] == ph] for ph in "sf")
        commands = [event["args"]["correlation"] for event in events if event.get("cat") in ("kernel", "gpu_memcpy")]
        self.assertTrue(commands)
        self.assertEqual(ends, commands)
        self.assertLessEqual(set(ends), set(begins))

    def test_its_mark_stands_above_the_time_lines_and_counts_however_it_is_written(self):
        self.diagnosed(KERNEL)
        line = json.loads((self.folder / "line-naive.json").read_text())
        names = [event["args"]["name"] for event in line["traceEvents"] if event["name"] == "process_name"]
        self.assertEqual(names, ["device of a simulated A30, not measured", "host of a simulated A30, not measured"])
        for mark in [True, 1, "true", None]:
            with self.subTest(mark=mark):
                self.write("marked.json", {**line, "simulated": mark})
                self.assertTrue(self.call("diagnose", "marked.json").stdout.startswith("SIMULATED"))

    def test_watch_and_report_know_it_too(self):
        self.diagnosed(KERNEL)
        said = self.call("watch", "--against", "line-naive.json", "--", "true")
        self.assertEqual((said.returncode, said.stdout), (1, ""), said)
        self.assertIn("line-naive.json: a simulated trace", said.stderr)
        self.assertEqual(self.call("report", RUN, "--trace", "line-naive.json", "-o", "page.html").returncode, 0)
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', (self.folder / "page.html").read_text(), re.S)[1])
        self.assertIs(data["traces"][0]["traces"][0]["simulated"], True)


class NoMeasurement(Simulate):
    """Each command that reads measurements refuses the file by name and writes nothing."""

    def setUp(self):
        super().setUp()
        self.simulate("--gpu", "a30", "--json", "simulated.json")
        self.before = sorted(self.folder.iterdir())

    def check(self, *arguments, file="simulated.json"):
        said = self.call(*arguments)
        self.assertEqual((said.returncode, said.stdout), (1, ""), said)
        self.assertRegex(said.stderr, rf"\Atuneproof: [^\n]*{file}[^\n]*\n\Z")
        self.assertEqual(sorted(self.folder.iterdir()), self.before)
        return said.stderr

    def test_history(self):
        self.assertIn("a prediction, not a measurement", self.check("history", "add", "simulated.json"))

    def test_compare_on_either_side(self):
        for pair in [(RUN, "simulated.json"), ("simulated.json", RUN)]:
            self.assertIn("a prediction, not a measurement", self.check("compare", *pair, "--allow-mismatch"))

    def test_compare_of_benchmarks(self):
        self.check("compare", "--gbench", "simulated.json", "simulated.json")

    def test_merge(self):
        self.assertIn("a prediction, not a measurement", self.check("merge", RUN, "simulated.json"))

    def test_export(self):
        for form in ["bmf", "gha", "csv", "junit", "markdown"]:
            self.assertIn("a prediction, not a measurement", self.check("export", form, "simulated.json"))

    def test_report_shows_it_apart_and_compares_it_with_nothing(self):
        self.assertIn("a prediction, not a measurement", self.check("report", RUN, "--against", "simulated.json", "-o", "page.html"))
        self.check("report", "simulated.json", "--against", RUN, "-o", "page.html", file="")
        markdown = self.call("report", RUN, "simulated.json", "--markdown").stdout
        measured, heading, simulated = markdown.partition("### Simulated: no GPU took part. simulated.json")
        self.assertTrue(measured and heading)
        self.assertNotIn("made/up", measured)
        self.assertIn("SIMULATED: no GPU took part", simulated)
        self.assertRegex(simulated, r"\| made/up/n:1/device:cuda on A30 \| [-+][\d.]+ % \\\[[^]]+\\\] \| simulated \|")
        self.call("report", RUN, "simulated.json", "-o", "page.html")
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', (self.folder / "page.html").read_text(), re.S)[1])
        self.assertNotIn("made/up", json.dumps(data["runs"]))
        self.assertEqual(data["simulations"][0]["rows"][0]["row"], "made/up/n:1/device:cuda")
        self.assertIn("no GPU took part", data["simulations"][0]["warning"])

    def test_a_broken_simulation_is_refused_by_its_place(self):
        broken = json.loads((self.folder / "simulated.json").read_text())
        broken["simulated"][0]["forms"][0]["simulated_seconds"] = "fast"
        self.write("simulated.json", broken)
        self.assertIn("simulated_seconds", self.check("report", "simulated.json", "--markdown"))

    def test_what_cannot_be_is_not_shown(self):
        whole = (self.folder / "simulated.json").read_text()

        def spoil(path, value):
            broken = json.loads(whole)
            *way, last = path
            place = broken
            for step in way:
                place = place[step]
            place[last] = value
            self.write("simulated.json", broken)
            return self.check("report", "simulated.json", "--markdown")

        row = ["simulated", 0]
        form = [*row, "forms", 0]
        for path, value in [([*form, "simulated_seconds"], -1), ([*form, "simulated_seconds"], 0), ([*form, "interval"], [2, 1]),
                            ([*form, "interval"], [-1, 1]), ([*form, "interval"], [1e-9, 2e-9]), ([*form, "form"], "optimized"),
                            ([*row, "simulated_ratio"], -0.5), ([*row, "simulated_ratio"], 7), ([*row, "ratio_interval"], [0, 1]),
                            ([*row, "forms"], []), ([*row, "cannot"], "no rate"), ([*row, "row"], ""),
                            (["simulated"], []), (["simulated"], {}), (["tuneproof", "schema_version", "major"], 2),
                            (["tuneproof", "schema_version"], "1")]:
            with self.subTest(path=path, value=value):
                spoil(path, value)
        (self.folder / "simulated.json").write_text(whole.replace("SIMULATED: no GPU took part", "MEASURED"))
        self.assertIn("SIMULATED: no GPU took part", self.call("report", "simulated.json", "--markdown").stdout)

    def test_explain_and_learn(self):
        self.check("explain", STEP, "--results", "simulated.json")
        self.check("explain", STEP, "--prices", "simulated.json")
        self.check("learn", "--list", "--results", "simulated.json")

    def test_resume(self):
        self.check("run", "--resume", "simulated.json")

    def test_a_recording_is_none_either(self):
        self.assertIn("a prediction, not a measurement", self.check("history", "add", "calls.json", file="calls.json"))

    def test_under_another_name_or_packed(self):
        (self.folder / "packed").write_bytes(gzip.compress((self.folder / "simulated.json").read_bytes()))
        self.before = sorted(self.folder.iterdir())
        self.check("history", "add", "packed", file="packed")

    def test_the_page_of_results(self):
        said = subprocess.run([sys.executable, PROJECT / "scripts/results_page.py", self.folder], capture_output=True, text=True)
        self.assertNotEqual(said.returncode, 0)
        self.assertIn("a prediction of `tuneproof simulate`, not a measurement", said.stderr)
        self.assertFalse((self.folder / "README.md").exists())


if __name__ == "__main__":
    unittest.main()
