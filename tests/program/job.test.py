"""The processes of a job, as torchrun starts them, are the ranks of one measurement.

Usage: job.test.py TUNEPROOF
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

from processes import PATIENCE, ProcessesTest, descendants, listening, listening_anywhere, ranks_of, reap_orphans

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
ROWS = ["parallel/balance/device:cpu", "parallel/sampler/device:cpu"]
NODE = "n1"     # Slurm's name of the node: without it the host's
BUDGETS = ["16s", "40s", "5m"]  # on a busy machine a short one ends before what the test is about


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Job(ProcessesTest):
    def setUp(self):
        super().setUp()
        self.port = free_port()

    def environment(self, **more):
        return super().environment(SLURMD_NODENAME=NODE, **more)

    def start_rank(self, rank, *arguments, rows=(), program=(PROGRAM,)):
        place = {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(self.port)}
        return subprocess.Popen([*program, "run", *(rows or ROWS[:1]), "--json", self.file, *arguments], text=True,
                                env=self.environment(**place), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                cwd=self.folder)

    def start(self, *arguments, rows=()):
        return [self.start_rank(rank, *arguments, rows=rows) for rank in range(2)]

    def said(self, ranks):
        return [rank.communicate(timeout=PATIENCE) for rank in ranks]

    def codes(self, ranks):
        return [rank.returncode for rank in ranks]

    def assert_nothing_is_left(self):
        super().assert_nothing_is_left()
        self.assertNotIn(f"0100007F:{self.port:04X}", listening_anywhere(), "the port of the job")

    def check_measured(self, row):
        pair = {pair["id"]: pair for pair in self.block()["pairs"]}[row]
        self.assertGreater(pair["iterations"], 0)
        names = {figure["name"] for figure in pair["figures"]}
        for rank in range(2):
            self.assertIn(f"rank {rank} on {NODE}, time of a run", names)

    def watched(self, ranks):
        """Their output, the processes of rank 1 that were seen, and where the job listened."""
        started, ports = set(), set()
        while ranks[0].poll() is None:
            started |= set(ranks_of(ranks[1].pid))
            for pid in descendants(os.getpid()):
                ports |= set(listening(pid))
            time.sleep(0.02)
        return self.said(ranks), started, ports

    def test_two_processes_are_the_ranks_of_one_measurement(self):
        for budget in BUDGETS:
            ranks = self.start("--budget", budget)
            said, started, ports = self.watched(ranks)
            if len(started) > 1:
                break
        self.assertEqual(self.codes(ranks), [0, 0], said)
        self.assertIn("STEP: FROM -> TO", said[0][0])
        self.assertEqual(said[1], ("", ""), "only rank 0 speaks")
        session = self.block()["session"]
        self.assertEqual(session["options"]["nodes"], f"{NODE}, {NODE}")
        self.assertEqual(session["options"]["ranks"], "2")
        self.check_measured(ROWS[0])
        self.assertGreater(len(started), 1, "each round has fresh processes")
        self.assertIn(f"0100007F:{self.port:04X}", ports)
        for address in ports:
            self.assertTrue(address.startswith("0100007F:"), address)
        self.assert_nothing_is_left()
        self.assertEqual(ports & listening_anywhere(), set(), "ports")

    def test_a_rank_that_is_killed_fails_its_row_and_no_other(self):
        for budget in BUDGETS:
            ranks = self.start("--budget", budget, rows=ROWS)
            os.kill(self.first_rank(ranks[1]), signal.SIGKILL)
            said = self.said(ranks)
            reasons = self.reasons()
            if any(pair["iterations"] > 0 for pair in self.block()["pairs"]):
                break
        self.assertEqual(len(reasons), 1, said)
        row, reason = reasons.popitem()
        self.assertRegex(reason, r"^rank 1 on n1 \(process \d+\) was killed by signal 9 \(Killed\), as the kernel does")
        self.check_measured(next(other for other in ROWS if other != row))
        self.assertEqual(self.codes(ranks), [1, 1], said)
        self.assertEqual(said[1], ("", ""))
        self.assert_nothing_is_left()

    def test_a_rank_that_is_stopped_fails_its_row(self):
        ranks = self.start("--budget", "90s", "--timeout", "30s")
        os.kill(self.first_rank(ranks[1]), signal.SIGSTOP)
        said = self.said(ranks)
        self.assertRegex(self.reasons()[ROWS[0]],
                         r"^rank 1 on n1 \(process \d+\) is stopped and did not finish within 10 s", said)
        self.assertEqual(self.codes(ranks), [1, 1], said)
        self.assert_nothing_is_left()

    def test_a_process_that_is_killed_ends_the_run_with_a_sentence(self):
        ranks = self.start("--budget", "30s", "--timeout", "30s", rows=ROWS)
        self.first_rank(ranks[1])
        ranks[1].kill()
        said = self.said(ranks)
        self.assertEqual(ranks[0].returncode, 1, said)
        sentences = [line for line in said[0][1].splitlines() if line.startswith("tuneproof:")]
        self.assertEqual(sentences,
                         ["tuneproof: rank 1 on n1 has not answered for 10 s: its process has ended or hangs"], said)
        reap_orphans()
        self.assert_nothing_is_left()

    def test_rank_0_that_is_killed_ends_the_others_with_a_sentence(self):
        ranks = self.start("--budget", "30s")
        self.first_rank(ranks[1])
        ranks[0].kill()
        said = self.said(ranks)
        self.assertEqual(self.codes(ranks), [-signal.SIGKILL, 1], said)
        self.assertEqual(said[1], ("", "tuneproof: rank 1 on n1: rank 0 has ended before its run was over\n"))
        reap_orphans()
        self.assert_nothing_is_left()

    def test_a_process_that_does_not_start_is_one_sentence(self):
        alone = self.start_rank(0, "--timeout", "6s")
        self.assertEqual(self.said([alone]), [("", "tuneproof: rank 1 did not come within 2 s\n")])
        self.assertEqual(alone.returncode, 1)
        self.assertFalse(self.file.exists())
        self.assert_nothing_is_left()

    def test_without_rank_0_the_others_end_with_a_sentence(self):
        alone = self.start_rank(1, "--timeout", "6s")
        sentence = f"tuneproof: rank 1 on n1: found no rank 0 at 127.0.0.1:{self.port} within 2 s\n"
        self.assertEqual(self.said([alone]), [("", sentence)])
        self.assertEqual(alone.returncode, 1)
        self.assert_nothing_is_left()

    def test_a_run_that_is_interrupted_ends_the_others_with_its_exit_code(self):
        ranks = self.start()
        self.first_rank(ranks[1])
        ranks[0].send_signal(signal.SIGINT)
        said = self.said(ranks)
        self.assertEqual(self.codes(ranks), [128 + signal.SIGINT] * 2, said)
        self.assert_nothing_is_left()

    def test_two_runs_of_one_job_do_not_mix(self):
        twice = ["sh", "-c", '"$0" "$@" --budget 1s && "$0" "$@" --budget 1s', str(PROGRAM)]
        ranks = [self.start_rank(rank, program=twice) for rank in range(2)]
        said = self.said(ranks)
        self.assertEqual(self.codes(ranks), [0, 0], said)
        self.assertEqual(said[1], ("", ""))
        self.assertEqual(said[0][1].count("the ranks, rank 0 first: n1, n1"), 2)
        self.assert_nothing_is_left()

    def test_an_interrupted_run_goes_on_with_the_same_ranks_only(self):
        ranks = self.start("--budget", "1s")
        self.said(ranks)
        alone = subprocess.run([PROGRAM, "run", "--resume", self.file], env=self.environment(), text=True,
                               capture_output=True, timeout=PATIENCE)
        self.assertEqual(alone.returncode, 1)
        self.assertIn("cannot resume this file here: its ranks were on n1, n1, and now on this process alone",
                      alone.stderr)

    def test_a_number_of_ranks_that_is_not_the_jobs_is_one_sentence(self):
        alone = self.start_rank(0, "--ranks", "3")
        self.assertEqual(self.said([alone]),
                         [("", "tuneproof: --ranks 3: this job has 2 processes, and they are the ranks\n")])
        self.assertEqual(alone.returncode, 1)

    def test_a_dry_run_needs_no_others(self):
        for rank in range(2):
            alone = self.start_rank(rank, "--dry-run")
            said = self.said([alone])[0]
            self.assertEqual((alone.returncode, said[1], ROWS[0] in said[0]), (0, "", rank == 0))

    def test_torchrun_starts_the_ranks(self):
        if subprocess.run([sys.executable, "-c", "import torch.distributed.run"], capture_output=True).returncode != 0:
            self.skipTest("this Python has no torch")
        said = subprocess.run([sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--no-python",
                               "--rdzv-endpoint", f"127.0.0.1:{self.port}", PROGRAM, "run", ROWS[0], "--budget", "2s",
                               "--json", self.file], env=self.environment(), text=True, capture_output=True,
                              timeout=PATIENCE, cwd=self.folder)
        self.assertEqual(said.returncode, 0, said)
        self.assertEqual(self.block()["session"]["options"]["nodes"], f"{NODE}, {NODE}")
        self.check_measured(ROWS[0])
        self.assertEqual(said.stdout.count("STEP: FROM -> TO"), 1, said.stdout)
        for log in self.temporary.glob("torchelastic_*"):  # torchrun's own
            shutil.rmtree(log)
        self.assert_nothing_is_left()


if __name__ == "__main__":
    unittest.main(verbosity=2)
