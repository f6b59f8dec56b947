"""`tuneproof prices` from outside. Usage: prices.test.py TUNEPROOF"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import processes

PROGRAM = sys.argv.pop(1)
WORKER = pathlib.Path(PROGRAM).parent / "tuneproof-worker"
PLAIN = {key: value for key, value in os.environ.items()
         if key not in ("NO_COLOR", "COLUMNS") and not key.startswith("BENCHMARK_")}
FAST = ["--device=cpu", "--benchmark_min_time=0.01"]
CPUS = len(os.sched_getaffinity(0))


def call(*arguments, **environment):
    return subprocess.run([PROGRAM, "prices", *arguments], capture_output=True, text=True, timeout=300,
                          env={**PLAIN, **environment})


def balance_of(text):
    """What stands below BALANCE. On a busy machine there is none, and a line says why."""
    if "BALANCE" not in text and "do not trust these prices" in " ".join(text.split()):
        raise unittest.SkipTest("other programs keep this machine busy")
    return text.split("BALANCE")[1]


def names(*arguments):
    return call("--benchmark_list_tests", *arguments).stdout.split()


class Help(unittest.TestCase):
    def test_help_names_every_flag_of_this_Google_Benchmark_that_1_7_had(self):
        said = call("--help").stdout
        for flag in ["filter", "list_tests", "min_time", "repetitions", "format", "out", "out_format", "color",
                     "report_aggregates_only", "display_aggregates_only", "counters_tabular", "context", "time_unit",
                     "min_warmup_time", "enable_random_interleaving"]:
            self.assertRegex(said, rf"--benchmark_{flag}\b")
        self.assertIn("--device", said)

    def test_the_flags_of_the_help_are_flags_of_Google_Benchmark(self):
        library = subprocess.run(["ldd", WORKER], capture_output=True, text=True).stdout
        found = re.search(r"libbenchmark\S* => (\S+)", library)
        holder = pathlib.Path(found[1]) if found else WORKER
        text = holder.read_bytes()
        for flag in re.findall(r"--(benchmark_\w+)", call("--help").stdout):
            self.assertIn(flag.encode(), text)


class WrongInput(unittest.TestCase):
    def one_sentence(self, *arguments):
        said = call(*arguments)
        self.assertEqual((said.returncode, said.stdout), (1, ""), said.stderr)
        self.assertEqual(said.stderr.count("\n"), 1, said.stderr)
        self.assertTrue(said.stderr.startswith("tuneproof: "), said.stderr)
        return said.stderr

    def test_quick_takes_what_tells_how_good_the_machine_is(self):
        with tempfile.TemporaryDirectory() as folder:
            every, quick = names("--device=cpu"), names("--device=cpu", "--quick", f"--benchmark_out={folder}/p.json")
        self.assertLess(len(quick), len(every) / 2)
        self.assertEqual({row.split("/")[1] for row in quick} & {"copy", "triad", "product", "memcpy", "collective"},
                         {"triad", "product", "memcpy"})  # without a GPU there are no copies

    def test_an_unknown_option_names_near_misses(self):
        self.assertIn("did you mean '--device'", self.one_sentence("--devise=cpu"))
        self.assertIn("did you mean '--benchmark_filter'", self.one_sentence("--benchmark_fliter=memcpy"))

    def test_a_word_and_a_flag_without_value_are_refused(self):
        self.assertIn("'memcpy'", self.one_sentence("memcpy"))
        self.assertIn("--name=value", self.one_sentence("--benchmark_filter", "memcpy"))

    def test_a_wrong_value_is_refused(self):
        self.assertIn("console|json|csv", self.one_sentence("--benchmark_format=xml"))
        self.assertIn("ns|us|ms|s", self.one_sentence("--benchmark_time_unit=h"))
        self.assertIn("'gpu'", self.one_sentence("--device", "gpu"))

    def test_a_number_that_no_measurement_can_follow_is_refused(self):
        self.assertIn("whole number from 1", self.one_sentence("--benchmark_repetitions=-2"))
        self.assertIn("whole number from 1", self.one_sentence("--benchmark_repetitions=0"))
        self.assertIn("seconds from 0, not '-1'", self.one_sentence("--benchmark_min_time=-1"))
        self.assertIn("'abc'", self.one_sentence("--benchmark_min_time=abc"))

    def test_a_variable_that_stands_for_a_flag_is_held_to_the_same(self):
        said = call(*FAST, BENCHMARK_REPETITIONS="-2")
        self.assertEqual((said.returncode, said.stdout), (1, ""))
        self.assertIn("BENCHMARK_REPETITIONS is a whole number", said.stderr)

    def test_a_filter_that_matches_nothing_fails(self):
        self.assertIn("quaternion", self.one_sentence("--device=cpu", "--benchmark_filter=quaternion"))
        self.assertIn("regular expression", self.one_sentence("--device=cpu", "--benchmark_filter=a("))

    def test_a_file_that_cannot_be_written_is_refused_before_anything_is_measured(self):
        filter = "--benchmark_filter=thread/start"
        self.assertIn("cannot be written", self.one_sentence(filter, "--benchmark_out=/nonexistent/prices.json"))
        self.assertIn("is a folder", self.one_sentence(filter, "--benchmark_out=/"))

    def test_a_run_that_matches_nothing_leaves_an_old_file_as_it_is(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "prices.json"
            file.write_text("old")
            call(*FAST, "--benchmark_filter=quaternion", f"--benchmark_out={file}")
            self.assertEqual(file.read_text(), "old")

    def test_a_CUDA_device_that_is_not_there_is_exit_code_77(self):
        said = call("--device", "cuda:99", "--benchmark_filter=memcpy")
        self.assertEqual((said.returncode, said.stdout), (77, ""))
        self.assertEqual(said.stderr.count("\n"), 1, said.stderr)


class Names(unittest.TestCase):
    def test_the_host_has_all_its_subjects(self):
        listed = names("--device=cpu")
        for subject in ["memcpy/bytes:1KiB", "allocate/malloc/", "allocate/malloc_touched/", "allocate/kept_touched/",
                        "handover/pipe/bytes:1KiB", "handover/shared/bytes:64MiB", "ping_pong/tcp/bytes:64MiB",
                        "thread/wake/condition",
                        "thread/start", "process/start/true", "process/start/fork", "process/start/worker",
                        "triad/host/threads:1/", "dispatch/host/add", "dispatch/host/item",
                        "product/host/fp32/n:2048", "product/host/bf16/", "product/host/fp16/"]:
            self.assertTrue(any(name.startswith("prices/" + subject) for name in listed), subject)
        self.assertEqual(len(listed), len(set(listed)))

    def test_collectives_are_listed_by_size_for_as_many_ranks_as_have_CPUs(self):
        listed = names("--device=cpu")
        for ranks in (2, 4, 8):
            for what in ("all_reduce", "broadcast", "all_gather", "reduce_scatter"):
                of_these = [name for name in listed if name.startswith(f"prices/collective/{what}/gloo/ranks:{ranks}/bytes:")]
                self.assertEqual(len(of_these), 9 if ranks <= CPUS else 0, (what, ranks))
            barrier = f"prices/collective/barrier/gloo/ranks:{ranks}/manual_time"
            self.assertEqual(barrier in listed, ranks <= CPUS)

    def test_no_price_of_CUDA_is_listed_for_the_host(self):
        for name in names("--device=cpu"):
            self.assertNotRegex(name, r"/device|prices/copy/|launch/|graph/|cuda|pinned|nccl")


class Rows(unittest.TestCase):
    def test_json_is_Google_Benchmarks_with_our_context(self):
        said = call(*FAST, "--benchmark_filter=memcpy/bytes:(1|4|16)KiB", "--benchmark_format=json")
        self.assertEqual(said.returncode, 0, said.stderr)
        document = json.loads(said.stdout)
        self.assertEqual([row["name"] for row in document["benchmarks"]],
                         ["prices/memcpy/bytes:1KiB/real_time", "prices/memcpy/bytes:4KiB/real_time",
                          "prices/memcpy/bytes:16KiB/real_time"])
        for row in document["benchmarks"]:
            self.assertGreater(row["bytes_per_second"], 0)
        self.assertTrue(document["context"]["tuneproof"])
        self.assertEqual(document["context"]["cuda"], "CUDA prices: not measured, --device cpu")
        self.assertIn("memcpy", balance_of(said.stderr))

    def test_the_context_says_that_CUDA_is_unrun(self):
        said = call("--benchmark_filter=thread/start", "--benchmark_min_time=0.01", "--benchmark_format=json")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertRegex(json.loads(said.stdout)["context"]["cuda"], r"^(CUDA prices: not measured, |cuda:0: )")

    def test_the_balance_stands_below_the_table(self):
        said = call(*FAST, "--benchmark_filter=memcpy/bytes:(1KiB|16KiB|256KiB)|thread/start")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("prices/memcpy/bytes:1KiB", said.stdout.split("BALANCE")[0])
        balance = balance_of(said.stdout)
        self.assertRegex(balance, r"memcpy +(t = |[0-9.]+ [kMG]?B/s at 1.00 KiB, )")
        self.assertIn("for a new thread", balance)
        self.assertIn("not available", balance)

    def test_the_table_has_units_of_10_to_the_9_and_says_before_it_how_long_it_takes(self):
        said = call(*FAST, "--benchmark_filter=memcpy/bytes:(1|4)KiB|product/host/fp32/n:128", "--benchmark_repetitions=2")
        self.assertRegex(said.stderr, r"tuneproof: 3 prices, about \d+ s( on a quiet machine; .*)?\n")
        self.assertNotRegex(said.stderr, r"(?m)^(Running|CPU Caches|fingerprint)")
        self.assertRegex(said.stderr, r"(?m)^cuda: ")
        self.assertRegex(said.stdout, r"(?m)^PRICE +TIME +RATE$")
        self.assertRegex(said.stdout, r"(?m)^prices/memcpy/bytes:4KiB +[0-9.]+ [mun]?s +[0-9.]+ [kMGT]?B/s$")
        self.assertRegex(said.stdout, r"(?m)^prices/product/host/fp32/n:128 +[0-9.]+ [mun]?s +[0-9.]+ [kMGT]?FLOP/s$")
        self.assertRegex(said.stdout, r"(?m)^prices/memcpy/bytes:1KiB_cv +1?\d?\d\.\d\d %$")  # of two at most 141 %

    def test_a_terminal_of_60_columns_has_room_for_table_and_balance(self):
        filter = "--benchmark_filter=memcpy/bytes:(1|16|256)KiB|allocate/malloc_touched/bytes:64MiB|ping_pong/tcp/bytes:64KiB"
        said = call(*FAST, filter, COLUMNS="60")
        self.assertEqual(said.returncode, 0, said.stderr)
        for line in said.stdout.splitlines():
            self.assertLessEqual(len(line), 60, line)
        self.assertIn("not available", balance_of(said.stdout))

    def test_Google_Benchmarks_own_table_can_be_asked_for(self):
        said = call(*FAST, "--benchmark_filter=thread/start", "--benchmark_counters_tabular=true", "--benchmark_color=false")
        self.assertRegex(said.stdout, r"Time +CPU +Iterations")

    def test_names_alone_are_listed_without_a_forecast(self):
        self.assertEqual(call("--benchmark_list_tests", "--device=cpu").stderr, "")

    def test_a_file_is_written_beside_the_table(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "prices.json"
            said = call(*FAST, "--benchmark_filter=malloc/", f"--benchmark_out={file}")
            self.assertEqual(said.returncode, 0, said.stderr)
            written = json.loads(file.read_text())
            self.assertGreater(len(written["benchmarks"]), 0)
            self.assertEqual(written["context"]["whole"], "yes")
            self.assertRegex(written["context"]["other_cpu_share"], r"^(0|1)\.\d{3}$")
            self.assertIn("Written to", said.stdout)
            self.assertIn("Next:", said.stdout)

    def test_the_rows_that_ended_are_in_the_file_whatever_ends_the_program(self):
        for end in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "prices.json"
                filter = "--benchmark_filter=memcpy/bytes:(1|4|16|64|256)KiB"
                child = subprocess.Popen([PROGRAM, "prices", "--device=cpu", "--benchmark_min_time=0.5", filter,
                                          f"--benchmark_out={file}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                         text=True, env=PLAIN)
                while not file.exists() and child.poll() is None:
                    time.sleep(0.01)
                child.send_signal(end)
                table, said = child.communicate(timeout=60)
                self.assertEqual(child.returncode, -end if end == signal.SIGKILL else 128 + end, said)
                self.assertEqual("tuneproof: stopped; the table has what had ended" in said, end != signal.SIGKILL, said)
                processes.reap_orphans()
                self.assertEqual(processes.descendants(os.getpid()), set())
                written = json.loads(file.read_text())
                rows = [row["name"] for row in written["benchmarks"]]
                self.assertEqual(rows[0], "prices/memcpy/bytes:1KiB/real_time")
                self.assertLess(len(rows), 5)
                self.assertIn(rows[0].removesuffix("/real_time"), table)
                self.assertEqual(written["context"]["whole"], "no")
                self.assertEqual(os.listdir(folder), ["prices.json"])

    def test_a_row_stands_in_the_table_before_the_file_has_it(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "prices.json"
            child = subprocess.Popen([PROGRAM, "prices", *FAST, "--benchmark_filter=memcpy/bytes:(1|4)KiB",
                                      f"--benchmark_out={file}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=PLAIN)
            os.set_blocking(child.stdout.fileno(), False)
            while not file.exists() and child.poll() is None:
                time.sleep(0)
            table = child.stdout.read() or b""
            os.set_blocking(child.stdout.fileno(), True)
            child.communicate(timeout=60)
        self.assertIn(b"prices/memcpy/bytes:1KiB ", table)

    def test_a_reader_of_standard_error_may_leave_and_one_of_the_table_ends_the_program(self):
        read_end, closed = os.pipe()
        os.close(read_end)
        self.addCleanup(os.close, closed)
        command = [PROGRAM, "prices", *FAST, "--benchmark_filter=memcpy/bytes:(1|4)KiB"]
        said = subprocess.run(command, stdout=subprocess.PIPE, stderr=closed, text=True, env=PLAIN)
        self.assertEqual(said.returncode, 0)
        self.assertIn("prices/memcpy/bytes:4KiB", said.stdout)
        said = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, text=True, env=PLAIN)
        self.assertIn(said.returncode, (-signal.SIGPIPE, 128 + signal.SIGPIPE), said.stderr)

    def test_other_formats_are_written_when_all_has_ended(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "prices.csv"
            for format in (["--benchmark_out_format=csv"], []):
                said = call(*FAST, "--benchmark_filter=memcpy/bytes:1KiB", f"--benchmark_out={file}", *format,
                            BENCHMARK_OUT_FORMAT="csv")
                self.assertEqual(said.returncode, 0, said.stderr)
                self.assertIn('"prices/memcpy/bytes:1KiB/real_time",', file.read_text())

    def test_the_library_is_not_called_slow_for_its_assertions(self):
        said = call(*FAST, "--benchmark_filter=thread/start")
        self.assertIn("cuda: ", said.stderr)
        self.assertNotIn("DEBUG", said.stderr)

    def test_a_time_may_have_its_unit(self):
        said = call("--device=cpu", "--benchmark_filter=thread/start", "--benchmark_min_time=0.01s")
        self.assertEqual(said.returncode, 0, said.stderr)

    def test_repetitions_and_aggregates_work(self):
        said = call(*FAST, "--benchmark_filter=thread/start", "--benchmark_repetitions=3",
                    "--benchmark_report_aggregates_only=true", "--benchmark_format=json")
        rows = json.loads(said.stdout)["benchmarks"]
        self.assertIn("median", [row["aggregate_name"] for row in rows])
        self.assertIn("for a new thread", balance_of(said.stderr))

    def test_bytes_are_checked_in_every_way_to_hand_them_over(self):
        said = call(*FAST, "--benchmark_filter=handover/.*/bytes:(1KiB|1MiB)|triad/host/threads:1/bytes:256KiB",
                    "--benchmark_format=json")
        self.assertEqual(said.returncode, 0, said.stderr)
        rows = json.loads(said.stdout)["benchmarks"]
        self.assertEqual(len(rows), 5)
        self.assertFalse([row for row in rows if row.get("error_occurred")])


@unittest.skipIf(CPUS < 2, "needs two CPUs")
class Collectives(unittest.TestCase):
    SMALL = r"ranks:2(/bytes:(1|64)KiB)?/manual"

    def rows(self, filter):
        said = call(*FAST, f"--benchmark_filter={filter}", "--benchmark_format=json")
        self.assertEqual(said.returncode, 0, said.stderr)
        rows = json.loads(said.stdout)["benchmarks"]
        self.assertEqual([row["name"] for row in rows if row.get("error_occurred")], [])
        return {row["name"].removeprefix("prices/collective/").removesuffix("/manual_time"): row for row in rows}, said.stderr

    def test_two_ranks_exchange_and_check_their_results_in_every_way(self):
        rows, _ = self.rows(f"collective/.*/gloo/{self.SMALL}")
        self.assertEqual(len(rows), 4 * 2 + 1)
        self.assertNotIn("busbw", rows["barrier/gloo/ranks:2"])
        for what, factor in {"all_reduce": 1, "broadcast": 1, "all_gather": 0.5, "reduce_scatter": 0.5}.items():
            row = rows[f"{what}/gloo/ranks:2/bytes:64KiB"]
            self.assertAlmostEqual(row["busbw"], factor * row["bytes_per_second"], delta=1e-9 * row["busbw"], msg=what)
            self.assertAlmostEqual(row["bytes_per_second"] * row["real_time"] * 1e-6, 65536, delta=1, msg=what)

    def test_an_all_reduce_stands_beside_a_socket_and_a_copy(self):
        size = "bytes:(4KiB|1MiB)/"
        _, said = self.rows(f"(all_reduce/gloo/ranks:2|ping_pong/tcp|memcpy)/{size}")
        self.assertRegex(balance_of(said), r"all-reduce over gloo beside a socket +4\.00 KiB: [0-9.]+ times a ping-pong")

    def test_a_rank_that_dies_fails_its_row_by_number_and_the_next_row_has_new_ranks(self):
        filter = "--benchmark_filter=collective/all_reduce/gloo/ranks:2/bytes:(1|64)KiB"
        prices = subprocess.Popen([PROGRAM, "prices", "--device=cpu", "--benchmark_min_time=2", filter, "--benchmark_format=json"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=PLAIN)
        while prices.poll() is None and not (ranks := processes.ranks_of(prices.pid)):
            time.sleep(0.01)
        os.kill(ranks[0], signal.SIGKILL)
        said, error = prices.communicate(timeout=300)
        self.assertEqual(prices.returncode, 1, error)
        first, second = json.loads(said)["benchmarks"]
        self.assertRegex(first["error_message"], r"^rank 1 \(process \d+\) was killed by signal 9")
        self.assertGreater(second["bytes_per_second"], 0)

    def test_no_rank_outlives_its_rows(self):
        processes.adopt_orphans()
        self.rows(f"all_reduce/gloo/{self.SMALL}")
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)


if __name__ == "__main__":
    unittest.main()
