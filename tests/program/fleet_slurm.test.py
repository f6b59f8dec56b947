"""scripts/slurm.sbatch on two nodes that are both this host: Debian's Slurm, started here and ended again.

Usage: fleet_slurm.test.py TUNEPROOF PROJECT
Skipped (77) without Slurm, Munge or root: slurm_cluster.py.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from slurm_cluster import Cluster

PROGRAM, PROJECT = str(pathlib.Path(sys.argv.pop(1)).resolve()), pathlib.Path(sys.argv.pop(1)).resolve()
ROW = "sync/item_every_step/n:128/device:cpu"


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof-slurm-", ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = Cluster(folder.name, TUNEPROOF=PROGRAM)
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.start()

    def sbatch(self, bundle, out, *arguments):
        said = self.cluster.say("sbatch", "--wait", "--nodes=2", f"--output={self.cluster.folder}/job.txt",
                                PROJECT / "scripts/slurm.sbatch", bundle, out, *arguments)
        log = self.cluster.folder / "job.txt"
        return said, log.read_text() if log.exists() else ""

    def check_fleet(self, out, rows):
        self.assertEqual(sorted(path.name for path in out.glob("*.json")), ["n1.json", "n2.json"])
        fleet = json.loads(pathlib.Path(f"{out}.fleet.json").read_text())
        self.assertEqual([node["name"] for node in fleet["nodes"]], ["n1", "n2"])
        self.assertEqual([row["id"] for row in fleet["rows"]], rows)

    def test_srun_starts_one_process_on_each_node(self):
        said = self.cluster.say("srun", "--nodes=2", "--ntasks-per-node=1", "bash", "-c", "echo $SLURMD_NODENAME")
        self.assertEqual((said.returncode, sorted(said.stdout.split())), (0, ["n1", "n2"]), said)

    def test_a_job_measures_both_nodes_gathers_and_merges(self):
        out = self.cluster.folder / "fleet"
        said, log = self.sbatch(PROJECT / "scripts/bundle", out, ROW, "--device", "cpu", "--threads", "1")
        self.assertEqual(said.returncode, 0, (said, log))
        self.check_fleet(out, [ROW])
        self.assertIn("2 nodes, 1 row", log)
        self.assertEqual(list(self.cluster.folder.glob("tuneproof-[0-9]*")), [], "left on a node's disk")

    def test_a_bundle_in_an_archive_is_sent_to_the_nodes(self):
        made = self.cluster.folder / "made/tuneproof-bundle"
        shutil.copytree(PROJECT / "scripts/bundle", made)
        archive = self.cluster.folder / "tuneproof-bundle.tar.gz"
        subprocess.run(["tar", "-C", made.parent, "-czf", archive, made.name], check=True)
        out = self.cluster.folder / "sent"
        said, log = self.sbatch(archive, out, ROW, "--device", "cpu", "--threads", "1")
        self.assertEqual(said.returncode, 0, (said, log))
        self.check_fleet(out, [ROW])

    def test_a_node_that_fails_is_told_and_nothing_is_left_to_compare(self):
        out = self.cluster.folder / "broken"
        self.cluster.environment["TUNEPROOF"] = str(self.broken_on("n2"))
        self.addCleanup(self.cluster.environment.update, TUNEPROOF=PROGRAM)
        said, log = self.sbatch(PROJECT / "scripts/bundle", out, ROW, "--device", "cpu", "--threads", "1")
        self.assertEqual(said.returncode, 3, (said, log))
        self.assertIn("n2 gave no results", log)
        self.assertEqual([path.name for path in out.glob("*.json")], ["n1.json"])

    def test_where_the_time_is_up_the_finished_rounds_come_back(self):
        out, log = self.cluster.folder / "cut", self.cluster.folder / "cut.txt"
        said = self.cluster.say("sbatch", "--parsable", "--nodes=2", f"--output={log}", PROJECT / "scripts/slurm.sbatch",
                                PROJECT / "scripts/bundle", out, ROW, "--device", "cpu", "--threads", "1", "--pairs", "8")
        job, local = said.stdout.strip(), self.cluster.folder / f"tuneproof-{said.stdout.strip()}"
        self.wait_until(lambda: all(self.rounds(local / f"{node}.json") for node in ["n1", "n2"]))
        self.cluster.say("scancel", "--signal=TERM", job)  # what --signal=TERM@90 has Slurm do by itself
        self.wait_until(lambda: job not in self.cluster.say("squeue", "-h", "-o", "%i").stdout.split())
        self.check_fleet(out, [ROW])
        self.assertIn("a node failed or had too little time", log.read_text())
        self.assertFalse(local.exists(), "left on a node's disk")
        self.assertLess(self.rounds(out / "n1.json"), 14)

    def wait_until(self, condition):
        for _ in range(600):
            if condition():
                return
            time.sleep(0.2)
        self.fail("waited for two minutes")

    def rounds(self, file):
        return len(json.loads(file.read_text())["tuneproof"]["rounds"]) if file.exists() else 0

    def broken_on(self, node):
        program = self.cluster.folder / "broken-program"
        program.write_text(f'#!/bin/bash\n[[ $SLURMD_NODENAME == {node} && $1 == run ]] && exit 1\nexec "{PROGRAM}" "$@"\n')
        program.chmod(0o755)
        return program


if __name__ == "__main__":
    unittest.main()
