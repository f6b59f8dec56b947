"""Rows that run in several processes: what happens to one of them is said of it, and nothing stays behind.

Usage: ranks.test.py TUNEPROOF MOMENTS [unittest arguments]

MOMENTS is at how many random moments each kind of trouble strikes.
"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import unittest

from processes import PATIENCE, ProcessesTest, listening, listening_anywhere, ranks_of, reap_orphans, state_of

PROGRAM = pathlib.Path(sys.argv[1])
MOMENTS = int(sys.argv[2])
ROWS = ["parallel/balance/device:cpu", "parallel/sampler/device:cpu"]
SEED = random.randrange(1 << 32)
RANDOM = random.Random(SEED)


class Ranks(ProcessesTest):
    def start(self, *arguments, rows=tuple(ROWS)):
        self.file.unlink(missing_ok=True)
        return subprocess.Popen([PROGRAM, "run", *rows, "--json", self.file, *arguments], env=self.environment(), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)

    def ports_of(self, program):
        """Where the ranks of a program listen now, rank 0 included."""
        ranks = ranks_of(program.pid)
        workers = {state_of(rank)[1] for rank in ranks}
        return {address for pid in workers | set(ranks) for address in listening(pid)}

    def measured(self):
        return {pair["id"] for pair in self.block()["pairs"] if pair["iterations"] > 0}

    def strike(self, blow, sentence, latest, budget="16s", timeout="5m"):
        """Hits a rank at a random moment of a run; tries until the row has noticed as often as asked."""
        noticed = 0
        for attempt in range(5 * MOMENTS):
            program = self.start("--budget", budget, "--timeout", timeout)
            rank = self.first_rank(program)
            moment = RANDOM.uniform(0, latest)
            time.sleep(moment)
            where = f"seed {SEED}, attempt {attempt}, {moment:.3f} s behind the rank's start"
            if state_of(rank)[0] in ("", "Z"):  # its round was over: another one has begun
                rank = self.first_rank(program, or_none=True)
            try:
                if rank is None:
                    raise ProcessLookupError
                blow(rank)
            except ProcessLookupError:  # its round was over too, or the run
                program.communicate(timeout=PATIENCE)
                continue
            said = program.communicate(timeout=PATIENCE)
            with self.subTest(where):
                self.assert_nothing_is_left()
                reasons = self.reasons()
                if not reasons:  # it had done its work, or needed nothing any more
                    continue
                noticed += 1
                self.assertEqual(len(reasons), 1, said)
                row, reason = reasons.popitem()
                self.assertRegex(reason, sentence)
                self.assertIn(row, ROWS)
                self.assertEqual(program.returncode, 1)
                if row == ROWS[0]:
                    self.assertIn(ROWS[1], self.measured(), "the next row runs")
            if noticed == MOMENTS:
                return
        self.fail(f"only {noticed} of {5 * MOMENTS} blows were noticed")

    def test_a_rank_that_is_killed_fails_its_row_and_no_other(self):
        self.strike(lambda rank: os.kill(rank, signal.SIGKILL),
                    r"^rank 1 \(process \d+\) was killed by signal 9 \(Killed\), as the kernel does", latest=3)

    def test_a_rank_that_is_stopped_fails_its_row_and_no_other(self):
        self.strike(lambda rank: os.kill(rank, signal.SIGSTOP),
                    r"^rank 1 \(process \d+\) is stopped and did not finish within 20 s", latest=3, budget="40s", timeout="60s")

    def test_a_rank_without_memory_fails_its_row_and_no_other(self):
        group = pathlib.Path("/sys/fs/cgroup/memory")
        if not group.is_dir():
            group = pathlib.Path("/sys/fs/cgroup")
        limit = "memory.limit_in_bytes" if group.name == "memory" else "memory.max"
        group = group / f"tuneproof-ranks-{os.getpid()}"
        try:
            group.mkdir()
            (group / limit).write_text(str(1 << 20))
        except OSError as error:
            self.skipTest(f"a control group with a limit on memory cannot be made here: {error}")
        self.addCleanup(group.rmdir)

        def starve(rank):
            (group / "cgroup.procs").write_text(str(rank))

        # What a rank holds already is not counted, and later it takes nothing more: while it starts it does.
        self.strike(starve, r"^rank 1 \(process \d+\) was killed by signal 9 \(Killed\), as the kernel does when memory",
                    latest=0.5)

    def test_runs_in_a_row_leave_no_process_no_file_and_no_port(self):
        were_seen = False
        for _ in range(2 * MOMENTS):
            program = self.start("--budget", "1s", rows=ROWS[:1])
            ports = set()
            while program.poll() is None:
                ports |= self.ports_of(program)
                time.sleep(0.02)
            program.communicate(timeout=PATIENCE)
            self.assertEqual(program.returncode, 0)
            self.assert_nothing_is_left()
            self.assertEqual(ports & listening_anywhere(), set(), "ports")
            were_seen = were_seen or bool(ports)
        self.assertTrue(were_seen, "Gloo's sockets listen while a row runs")

    def test_ranks_listen_at_the_loopback_alone(self):
        program = self.start("--budget", "16s")
        seen = set()
        while not seen and program.poll() is None:
            seen = self.ports_of(program)
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=PATIENCE)
        self.assertTrue(seen, "Gloo's sockets listen")
        for address in seen:
            self.assertTrue(address.startswith("0100007F:"), address)

    def test_a_run_that_is_interrupted_takes_its_ranks_along(self):
        program = self.start()
        self.first_rank(program)
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=PATIENCE)
        self.assertEqual(program.returncode, 128 + signal.SIGINT)
        self.assert_nothing_is_left()

    def test_a_program_that_is_killed_takes_its_ranks_along(self):
        program = self.start()
        self.first_rank(program)
        program.kill()
        program.communicate(timeout=PATIENCE)
        reap_orphans()
        self.assert_nothing_is_left()

    def test_what_is_no_number_of_ranks_is_one_sentence(self):
        for text in ["0", "-3", "two", "1.5", "99999"]:
            with self.subTest(text):
                program = self.start("--ranks", text, rows=ROWS[:1])
                said = program.communicate(timeout=PATIENCE)
                self.assertEqual(program.returncode, 1)
                lines = [line for line in said[1].splitlines() if line.startswith("tuneproof:")]
                self.assertEqual(lines, [f"tuneproof: --ranks '{text}': expected a number of processes from 1 to 1024"])

    def test_a_dry_run_refuses_what_is_no_number_of_ranks(self):
        program = self.start("--ranks", "zwei", "--dry-run", rows=ROWS[:1])
        said = program.communicate(timeout=PATIENCE)
        self.assertEqual((program.returncode, *said),
                         (1, "", "tuneproof: --ranks 'zwei': expected a number of processes from 1 to 1024\n"))

    def test_more_ranks_than_CPUs_skip_the_row_with_its_reason(self):
        program = self.start("--ranks", "1024", rows=ROWS[:1])
        program.communicate(timeout=PATIENCE)
        self.assertEqual(program.returncode, 0)
        self.assertRegex(self.reasons()[ROWS[0]], r"^needs 1024 CPUs, one for each rank; this process may use \d+$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
