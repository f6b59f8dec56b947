"""`srun tuneproof run` on four nodes that are all this host is one measurement: docs/parallel.md.

Usage: job_slurm.test.py TUNEPROOF
Skipped (77) without Slurm, Munge or root: slurm_cluster.py.
"""

import json
import pathlib
import sys
import tempfile
import unittest

from slurm_cluster import NODES, Cluster

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
ROW = "parallel/flat/device:cpu"


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof-slurm-", ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        # Nobody could find the first node by its name: all four are this host.
        cls.cluster = Cluster(folder.name, MASTER_ADDR="127.0.0.1")
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.start()
        cls.file = cls.cluster.folder / "r.json"

    def setUp(self):
        self.file.unlink(missing_ok=True)

    def srun(self, *command, **more):
        return self.cluster.say("srun", "--nodes=4", "--ntasks-per-node=1", *command, **more)

    def test_four_nodes_are_one_measurement_written_once(self):
        said = self.srun(PROGRAM, "run", ROW, "--looks", "1", "--json", self.file)
        self.assertEqual(said.returncode, 0, said)
        self.assertEqual(said.stdout.count("STEP: FROM -> TO"), 1, said)
        self.assertIn("the ranks, rank 0 first: n1, n2, n3, n4", said.stderr)
        block = json.loads(self.file.read_text())["tuneproof"]
        self.assertEqual(block["session"]["options"]["nodes"], ", ".join(NODES))
        self.assertEqual([pair["id"] for pair in block["pairs"]], [ROW], block["errors"])
        figures = {figure["name"]: figure for figure in block["pairs"][0]["figures"]}
        for rank, node in enumerate(NODES):
            self.assertGreater(figures[f"rank {rank} on {node}, time of a run"]["naive"], 0)
        left = self.cluster.say("squeue", "-h")
        self.assertEqual(left.stdout, "")

    def test_a_node_that_does_not_start_is_one_sentence(self):
        script = f'[[ $SLURMD_NODENAME == n3 ]] || exec "{PROGRAM}" run {ROW} --timeout 30s --json "{self.file}"'
        said = self.srun("bash", "-c", script)
        self.assertEqual(said.returncode, 1, said)
        sentences = [line for line in said.stderr.splitlines() if line.startswith("tuneproof:")]
        self.assertEqual(sentences, ["tuneproof: rank 2 on n3 did not come within 10 s"], said)
        self.assertEqual(said.stdout, "")
        self.assertFalse(self.file.exists())

    def test_a_first_node_that_nobody_can_find_is_said(self):
        said = self.srun("env", "-u", "MASTER_ADDR", PROGRAM, "run", ROW, "--timeout", "6s")
        self.assertEqual(said.returncode, 1, said)
        self.assertIn("tuneproof: 'n1', where the ranks should meet, leads to no address", said.stderr)

    def test_a_batch_script_measures_alone_unless_srun_starts_it(self):
        log = self.cluster.folder / "batch.txt"
        script = self.cluster.folder / "alone.sbatch"
        script.write_text(f'#!/bin/bash\nexec "{PROGRAM}" run sync/item_every_step --device cpu --budget 2s\n')
        said = self.cluster.say("sbatch", "--wait", "--nodes=2", "--ntasks=2", f"--output={log}", script)
        self.assertEqual(said.returncode, 0, (said, log.read_text()))
        self.assertIn("STEP: FROM -> TO", log.read_text())
        self.assertNotIn("rank 0 first", log.read_text())


if __name__ == "__main__":
    unittest.main()
