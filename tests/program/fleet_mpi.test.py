"""One measurement a process under Open MPI on this host, gathered and merged: docs/fleet.md.

Usage: fleet_mpi.test.py TUNEPROOF PROJECT
Skipped (77) where there is no mpirun, or one that is not Open MPI's.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PROJECT = str(pathlib.Path(sys.argv.pop(1)).resolve()), pathlib.Path(sys.argv.pop(1)).resolve()
NODE = PROJECT / "scripts/bundle/measure-node.sh"
ROW = "sync/item_every_step/n:128/device:cpu"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


MPIRUN = shutil.which("mpirun") or skip("there is no mpirun (Debian: openmpi-bin)")
if "Open MPI" not in subprocess.run([MPIRUN, "--version"], capture_output=True, text=True).stdout:
    skip(f"{MPIRUN} is not Open MPI's")


class Fleet(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def mpirun(self, processes, *command, **environment):
        options = ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(processes)]
        return subprocess.run([MPIRUN, *options, *map(str, command)], capture_output=True, text=True, timeout=600,
                              cwd=self.folder, env={**os.environ, "TUNEPROOF": PROGRAM, **environment})

    def merge(self, *arguments):
        return subprocess.run([PROGRAM, "merge", *map(str, arguments)], capture_output=True, text=True, timeout=60)

    def test_three_processes_leave_three_files_that_merge(self):
        nodes = self.folder / "nodes"
        said = self.mpirun(3, NODE, nodes, ROW, "--device", "cpu", "--seed", "7", "--threads", "1")
        self.assertEqual(said.returncode, 0, said)
        self.assertEqual(len(list(nodes.glob("*.json"))), 3, said)
        merged = self.merge(nodes, "--json", self.folder / "fleet.json")
        self.assertEqual((merged.returncode, merged.stderr), (0, ""))
        fleet = json.loads((self.folder / "fleet.json").read_text())
        self.assertEqual(len(fleet["nodes"]), 3)
        self.assertEqual(len({node["name"] for node in fleet["nodes"]}), 3)
        self.assertEqual([row["id"] for row in fleet["rows"]], [ROW])
        for node in fleet["rows"][0]["nodes"]:
            self.assertIsNotNone(node["against_others"]["naive"]["ratio_ci"])

    def test_a_process_that_fails_leaves_the_others_where_docs_fleet_says_how(self):
        program = self.folder / "program"
        program.write_text('#!/bin/bash\n[[ $OMPI_COMM_WORLD_RANK == 1 ]] && exit 1\n'
                           'while (($# > 1)); do shift; done\necho {} >"$1"\n')
        program.chmod(0o755)
        script = f'"{NODE}" "{self.folder}/nodes" --suite quick || echo "$(uname -n) failed"'
        said = self.mpirun(3, "sh", "-c", script, TUNEPROOF=str(program))
        self.assertEqual(said.returncode, 0, said)
        self.assertIn("failed", said.stdout)
        self.assertEqual(len(list((self.folder / "nodes").glob("*.json"))), 2)

    def test_a_file_comes_back_through_mpirun_where_no_folder_is_shared(self):
        nodes = self.folder / "nodes"
        nodes.mkdir()
        name = os.uname().nodename.split(".")[0]
        (nodes / f"{name}.json").write_text('{"whole": true}\n')
        said = self.mpirun(1, NODE, "--print", nodes)
        self.assertEqual((said.returncode, said.stdout), (0, '{"whole": true}\n'), said)


if __name__ == "__main__":
    unittest.main()
