"""Commands of tuneproof that measure a device, on the stand-in: what they say of function, never of time.

Usage: commands.test.py TUNEPROOF [unittest arguments], with the stand-in preloaded (see programs/CMakeLists.txt)
"""

import gzip
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
PROJECT = pathlib.Path(__file__).resolve().parents[3]
PATIENCE = 900
STEPS = ["--suite", "full", "--point", "unit=step", "--device", "cuda:0", "--seed", "1"]
# What would take minutes here; each kind of price has smaller rows.
LARGE = r"[0-9]GiB|[^o]/bytes:64MiB|(128|256|512)MiB|n:(1024|2048|4096|8192)"


def rows_of(file, kind="pairs"):
    try:
        return json.loads(file.read_text())["tuneproof"][kind]
    except (FileNotFoundError, ValueError, KeyError):
        return []


# Of STGym's data sets: columns that are the same in a whole graph, its nodes' places, and their labels.
CELLS = {
    "breast-cancer": (["donor_id", "sample_uuid"], ["UMAP_1", "UMAP_2"], ("cell_type", lambda n: f"type{n % 39}")),
    "human-crc": (["patients", "Z:Z"], ["X:X", "Y:Y"], ("neighborhood10", lambda n: n % 10)),
    "brca": (["grade", "gender", "age", "Patientstatus", "PTNM_M", "PTNM_T", "PTNM_N", "Post-surgeryTx", "clinical_type",
              "cellID", "diseasestatus"], ["X_centroid", "Y_centroid"], None),
}


def write_cells(file, name):
    """Twelve graphs of eleven nodes, four of them at one place; every second graph is a tumor's."""
    numbers = random.Random(1)
    groups, place, label = CELLS[name]
    genes = [f"gene{i}" for i in range(8)]
    lines = [groups + place + ([label[0]] if label else []) + genes]
    for graph in range(12):
        for node in range(11):
            keys = [graph] * (len(groups) - 1) + [("tumor", "non-tumor")[graph % 2] if name == "brca" else graph]
            at = [0.5, 0.5] if node < 4 else [numbers.random(), numbers.random()]
            lines.append(keys + at + ([label[1](numbers.randrange(390))] if label else []) +
                         [numbers.random() for _ in genes])
    file.write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    return f"{name}={file}"


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof."))
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE,
                              cwd=self.folder)

    def one_round(self, *arguments):
        """Rows by name after the rehearsal and one round: the file is written behind each, then the run is stopped."""
        file = self.folder / "run.json"
        run = subprocess.Popen([PROGRAM, "run", *arguments, "--json", file], cwd=self.folder, stderr=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, text=True)
        begin = time.monotonic()
        while run.poll() is None and time.monotonic() - begin < PATIENCE:
            rows = rows_of(file)
            if rows and any(row["round_log_ratios"] for row in rows):
                run.send_signal(signal.SIGINT)
                break
            time.sleep(0.2)
        said = run.communicate(timeout=PATIENCE)[1]
        rows = {row["id"]: row for row in rows_of(file)}
        self.assertTrue(rows, said)
        failed = {row["id"]: row["message"] for row in rows_of(file, "errors") if row["verdict"] == "failed"}
        self.assertEqual(failed, {}, said)
        return rows


class Ladder(Folder):
    RUNGS = ("cuda_graph", "prefetch", "fused_pooling", "bf16")

    def timed_rows(self, *patterns):
        """Their names; each row gave the same answer in both forms, and was timed."""
        data = write_cells(self.folder / "cells.csv", "breast-cancer")
        rows = self.one_round(*patterns, *STEPS, "--data", data, "--batch-size", "4", "--epochs", "1")
        self.assertEqual([name for name, row in rows.items() if not row["round_log_ratios"]], [])
        for rung in self.RUNGS:
            self.assertTrue(any(name.startswith(f"stgym/{rung}/") for name in rows), f"{rung}: no row ran")

    def test_rungs_of_every_kind_give_the_same_answer_in_both_forms_and_are_timed(self):
        self.timed_rows(*(f"stgym/{rung}" for rung in self.RUNGS))


class WholeLadder(Ladder):
    def test_rungs_of_every_kind_give_the_same_answer_in_both_forms_and_are_timed(self):
        self.timed_rows("stgym/*")


class Space(Folder):
    def test_each_configuration_that_ships_trains_in_both_forms(self):
        for name, cells in (("benchmark", "breast-cancer"), ("clustering", "human-crc"), ("graphs", "brca"),
                            ("deep", "breast-cancer")):
            with self.subTest(name):
                data = write_cells(self.folder / "cells.csv", cells)
                rows = self.one_round("stgym/segment_pooling*", *STEPS, "--config", name, "--data", data,
                                      "--batch-size", "4", "--epochs", "1")
                self.assertTrue(all(row["round_log_ratios"] for row in rows.values()))


class Profile(Folder):
    def test_both_forms_of_a_row_leave_a_trace_that_diagnose_reads(self):
        done = self.call("profile", "sync/item_every_step/n:128/device:cuda", "--schedule", "wait=1,warmup=1,active=2")
        self.assertEqual(done.returncode, 0, done.stderr)
        traces = sorted((self.folder / "profiles").iterdir())
        self.assertEqual(len(traces), 2)
        for trace in traces:
            self.assertEqual(self.call("diagnose", trace).returncode, 0)


class Simulated(Folder):
    def recorded(self, *arguments):
        done = self.call("simulate", *arguments, "--gpu", "a30", "--record", "calls.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("SIMULATED: no GPU took part."), done.stdout)
        return json.loads((self.folder / "calls.json").read_text())

    def test_an_operator_in_place_reads_and_writes_its_tensor(self):
        """128 x 128 floats, and the number that they are multiplied by."""
        naive = self.recorded("sync/item_every_step", "--point", "n=128")["rows"][0]["forms"][0]["entries"]
        moved = {entry["bytes"] for entry in naive if entry.get("name") == "aten::mul_.Tensor"}
        self.assertEqual(moved, {2 * 4 * 128 * 128 + 4})
        self.assertTrue(all(entry["reduction"] for entry in naive if entry.get("name") == "aten::mean.out"))

    def test_operators_on_host_tensors_are_recorded_and_a_size_is_worked_out(self):
        """STGym makes its indices on the host: 16 bytes for each node and column."""
        calls = self.recorded("stgym/device_indices", "--point", "unit=step", "--point", "against=below",
                              "--scales", "1/128,1/64,1/32")
        self.assertIn("worked out at scale 1", calls["rows"][0]["note"])
        forms = {form["form"]: form["entries"] for form in calls["rows"][0]["forms"]}
        host = {form: sum(entry.get("bytes", 0) for entry in entries if entry["do"] == "compute") for form, entries in forms.items()}
        self.assertGreater(host["naive"], 100e6)
        self.assertLess(host["optimized"], 1e6)
        searched = [entry["flop"] for entry in forms["naive"] if "::nearest(" in entry.get("name", "")]
        self.assertEqual(len(searched), 16, "a graph each")
        self.assertGreater(sum(searched), 1e9)  # 16 for each pair of a graph's nodes

    def test_products_of_sparse_matrices_count_the_pairs_that_they_multiply(self):
        """C' C of the assignment, 20 clusters: 400 pairs for each node, two FLOP each; each node has 160 bytes of row numbers."""
        naive = self.recorded("stgym/device_indices", "--point", "unit=step", "--point", "against=below")["rows"][0]["forms"][0]["entries"]
        nodes = min(entry["bytes"] for entry in naive if entry["do"] == "copy" and entry["bytes"] > 1e6) / 160
        products = [entry["flop"] for entry in naive if entry.get("unit") == "sparse_product"]
        self.assertTrue(any(abs(flop / (800 * nodes) - 1) < 0.01 for flop in products), (nodes, products))

    def test_a_product_of_a_sparse_matrix_with_a_dense_one_counts_two_FLOP_for_each_entry_and_column(self):
        """A' x of the joined form: two FLOP and four bytes for each of them, so twice the FLOP is at most the bytes."""
        naive = self.recorded("stgym/device_indices", "--point", "unit=step", "--point", "against=below")["rows"][0]["forms"][0]["entries"]
        sorts = [entry for entry in naive if entry.get("sorted", 0) > 0 and entry.get("unit") != "sparse_product"]
        products = [entry for entry in sorts if entry["name"] == "aten::mm"]
        self.assertTrue(products)
        for entry in products:
            self.assertGreater(entry["flop"], 0)
            self.assertGreaterEqual(entry["bytes"], entry["sorted"] + 2 * entry["flop"])

    def test_a_kernel_that_was_paced_takes_what_it_was_paced_for(self):
        """20 kernels of 3 us; a kernel that takes as long as its copy of 4 MiB. The rounds were found on this machine."""
        kernels = self.recorded("sync/per_kernel", "--point", "us=3")["rows"][0]["forms"][0]["entries"]
        self.assertEqual([entry["us"] for entry in kernels if entry["do"] == "kernel"], [3.0] * 20)
        long = self.recorded("overlap/pinned_stream_matrix/naive:pinned_same/bytes:4MiB")["rows"][0]["forms"][0]["entries"]
        self.assertEqual([entry["as_copy"] for entry in long if entry["do"] == "kernel"], [4 << 20])

    def test_a_workload_is_recorded_small_by_itself_and_says_so(self):
        recording = self.recorded("stgym/single_tail", "launch/run_ahead", "--suite", "quick")
        small, other = recording["rows"][1], recording["rows"][0]
        self.assertTrue(small["row"].startswith("stgym/"), small["row"])
        self.assertIn("recorded at the scales 1/128, 1/64, 1/32", small["note"])
        self.assertNotIn("note", other)
        self.assertIn("1 row was recorded", recording["note"])

    def test_every_kernel_of_the_best_form_is_counted(self):
        forms = self.recorded("stgym/best_form", "--point", "unit=step", "--suite", "quick")["rows"][0]["forms"]
        uncounted = {entry["name"] for form in forms for entry in form["entries"] if entry.get("uncounted")}
        self.assertEqual(uncounted, set())

    def test_a_form_that_allocates_says_so_and_is_not_taken_for_an_equal_one(self):
        forms = self.recorded("memory/alloc_caching/bytes:1MiB/blocks:16")["rows"][0]["forms"]
        self.assertEqual(forms[0]["unpriced"], {"cudaFree": 16, "cudaMalloc": 16})
        self.assertNotIn("unpriced", forms[1])
        shown = self.call("simulate", "--from", "calls.json", "--gpu", "a30").stdout
        self.assertIn("cannot simulate: both sides give the device the same work", " ".join(shown.split()))

    def test_a_recording_that_is_stopped_keeps_its_rows_and_names_the_lost_ones(self):
        run = subprocess.Popen([PROGRAM, "simulate", "sync/*", "--suite", "quick", "--gpu", "a30", "--record", "calls.json"],
                               cwd=self.folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        begun = 0
        for line in run.stderr:
            begun += line.startswith("recording ")
            if begun == 3:
                run.send_signal(signal.SIGINT)
                break
        said = run.communicate(timeout=PATIENCE)
        self.assertEqual(run.returncode, 128 + signal.SIGINT, said)
        lost = re.search(r"tuneproof: stopped; \d+ rows? (?:is|are) recorded, lost are (.+)\n", said[1])
        self.assertTrue(lost, said)
        lost = lost[1].split(", ")
        self.assertGreater(len(lost), 1, "rows that were never begun are lost as well")
        calls = json.loads((self.folder / "calls.json").read_text())
        self.assertIn("Stopped while recording", calls["note"])
        self.assertGreaterEqual(len(calls["rows"]), 1)
        self.assertLess(len(calls["rows"]), 4)
        self.assertFalse(set(lost) & {row["row"] for row in calls["rows"]})
        self.assertTrue(said[0].startswith("SIMULATED"), "what was kept is simulated")


class Prices(Folder):
    def test_every_kind_of_price_of_the_device_is_taken(self):
        def kind(name):
            return name.split("/")[1]

        done = self.call("prices", "--device=cuda:0", "--benchmark_min_time=0", f"--benchmark_filter=-{LARGE}",
                         "--benchmark_format=json")
        self.assertEqual(done.returncode, 0, done.stderr)
        prices = json.loads(done.stdout)["benchmarks"]
        self.assertEqual([row["name"] for row in prices if row.get("error_occurred")], [])
        every = self.call("prices", "--device=cuda:0", "--benchmark_list_tests=true").stdout.split()
        self.assertEqual({kind(row["name"]) for row in prices}, {kind(name) for name in every if "/" in name})


    def test_the_page_on_GPUs_names_each_kind_of_price_that_no_visit_has_taken(self):
        listed = self.call("prices", "--device=cuda:0", "--benchmark_list_tests=true").stdout.split()
        every = {name.split("/")[1] for name in listed if "/" in name} - {"link", "numa", "peer"}  # several devices or nodes

        def missing(machine):
            files = sorted((PROJECT / "results" / machine).glob("prices-*.json.gz"))
            taken = [row["name"] for file in files for row in json.loads(gzip.decompress(file.read_bytes()))["benchmarks"]]
            return every - {name.split("/")[1] for name in taken}

        said = (PROJECT / "docs/gpu.md").read_text().split("- prices: on the H200", 1)[1].split(". ", 1)[0]
        on_h200, also_on_h100 = [set(re.findall("`(.*?)`", part)) for part in said.split("on the H100 also")]
        self.assertEqual(on_h200, missing("h200"))
        self.assertEqual(also_on_h100, missing("h100") - missing("h200"))


class TwoDevices(Folder):
    """NCCL runs on no stand-in, however many devices it has."""
    REASON = "NCCL cannot run on the stand-in"

    def setUp(self):
        super().setUp()
        profile = unittest.mock.patch.dict(os.environ, STAND_IN_PROFILE="two")
        profile.start()
        self.addCleanup(profile.stop)

    def rehearsed(self, *arguments):
        """What is said of a run that is stopped where its rounds begin: by then each row is skipped or measured."""
        run = subprocess.Popen([PROGRAM, "run", *arguments], cwd=self.folder, stderr=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, text=True)
        said = []
        for line in run.stderr:
            said.append(line)
            if line.startswith("[round 1/"):
                run.send_signal(signal.SIGINT)
        run.communicate(timeout=PATIENCE)
        return "".join(said)

    def test_rows_that_run_in_ranks_are_skipped_with_that_reason(self):
        said = self.rehearsed("parallel/*", "*/ddp*", "--suite", "full", "--device", "cuda:0", "--json", "run.json")
        of_ranks = {row["id"]: row for row in rows_of(self.folder / "run.json", "errors")}
        self.assertGreaterEqual(len(of_ranks), 15 + 4 * 3, said)
        for name, row in of_ranks.items():
            self.assertEqual(row["verdict"], "skipped", name)
            self.assertIn(self.REASON, row["message"], name)
        for rung in ("ddp", "ddp_no_sync", "ddp_buckets"):
            self.assertIn(f"gpt/{rung}/device:cuda", of_ranks)

    def test_a_copy_between_the_devices_gives_the_same_either_way(self):
        self.rehearsed("parallel/peer_copy", "--device", "cuda:0", "--json", "run.json")
        self.assertEqual(rows_of(self.folder / "run.json", "errors"), [])
        self.assertEqual(len(rows_of(self.folder / "run.json", "pairs")), 2)

    def test_prices_of_collectives_are_skipped_with_that_reason(self):
        done = self.call("prices", "--device=cuda:0", "--benchmark_filter=collective/.*/nccl/.*:2(/bytes:1KiB)?/manual",
                         "--benchmark_format=json")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = json.loads(done.stdout)["benchmarks"]
        self.assertEqual(len(rows), 5)
        self.assertEqual({row["error_message"] for row in rows}, {"skipped: " + self.REASON})


class Gate(Folder):
    def test_two_programs_are_compared_only_where_that_is_asked_for(self):
        words = ["compare", "--base", PROGRAM.parent, "--head", PROGRAM.parent, "sync/item_every_step/n:128/device:cuda",
                 "--no-selftest", "--dry-run"]
        refused = self.call(*words)
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertEqual(refused.stderr, "tuneproof: compare: the stand-in device has no times; "
                                         "add --allow-stand-in to compare anyway\n")
        allowed = self.call(*words, "--allow-stand-in")
        self.assertEqual(allowed.returncode, 0, allowed.stderr)
        self.assertIn("STAND-IN: no GPU took part", allowed.stderr)


class Doctor(Folder):
    def test_the_device_is_found_and_named_for_what_it_is(self):
        done = self.call("doctor")
        self.assertIn("stand-in (no times)", done.stdout, done.stderr)


class Busy(Folder):
    def setUp(self):
        super().setUp()
        profile = unittest.mock.patch.dict(os.environ, STAND_IN_PROFILE="busy")
        profile.start()
        self.addCleanup(profile.stop)

    def test_doctor_says_that_others_compute_and_that_the_power_limit_is_reached(self):
        done = self.call("doctor")
        self.assertRegex(done.stdout, r"warn +gpu neighbors +3 other processes, 97 % busy", done.stderr)
        self.assertRegex(done.stdout, r"note +gpu power +699 W, limit 700 W, reached", done.stderr)

    def test_a_run_says_once_that_other_programs_compute_on_its_GPU(self):
        done = self.call("run", "sync/print_tensor/numel:1/device:cuda", "--device", "cuda:0", "--budget", "20s")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("3 other programs compute on the GPU beside this run"), 1, done.stderr)

    def test_each_round_of_a_run_keeps_that_the_power_limit_lowered_the_clock(self):
        self.one_round("sync/print_tensor/numel:1/device:cuda", "--device", "cuda:0")
        rounds = json.loads((self.folder / "run.json").read_text())["tuneproof"]["rounds"]
        power_cap = 4
        self.assertTrue(rounds)
        self.assertEqual([taken["slowdowns"] for taken in rounds], [power_cap] * len(rounds))


if __name__ == "__main__":
    unittest.main()
