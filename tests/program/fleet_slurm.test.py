"""scripts/slurm.sbatch on two nodes that are both this host: Debian's Slurm, started here and ended again.

Usage: fleet_slurm.test.py TUNEPROOF PROJECT
Skipped (77) without Slurm and Munge (Debian: slurmctld slurmd slurm-client munge) or without root, which both want.
"""

import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, PROJECT = str(pathlib.Path(sys.argv.pop(1)).resolve()), pathlib.Path(sys.argv.pop(1)).resolve()
ROW = "sync/item_every_step/n:128/device:cpu"
TOOLS = ["slurmctld", "slurmd", "srun", "sbatch", "scontrol", "sinfo", "munged"]
os.environ["PATH"] += ":/usr/sbin:/sbin"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


for tool in TOOLS:
    shutil.which(tool) or skip(f"there is no {tool} (Debian: slurmctld slurmd slurm-client munge)")
if os.geteuid() != 0:
    skip("slurmd and munged are started by root")

CONFIGURATION = """
ClusterName=tuneproof
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
MailProg=/bin/true
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
"""


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


class Cluster:
    """Two slurmd, a slurmctld and a munged of our own; the host's own Slurm, if any, is left alone."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.chmod(0o755)
        for name in ["state", "spool.n1", "spool.n2"]:
            (self.folder / name).mkdir()
        self.started = []
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf"), "TUNEPROOF": PROGRAM,
                            "TMPDIR": str(self.folder)}
        host = socket.gethostname().split(".")[0]
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(folder=folder, host=host, ports=free_ports(3)))
        (self.folder / "munge.key").write_bytes(os.urandom(1024))
        (self.folder / "munge.key").chmod(0o400)

    def start(self):
        own = {name: f"{self.folder}/munge.{name}" for name in ["socket", "pid", "log", "seed"]}
        self.daemon("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                    f"--socket={own['socket']}", f"--pid-file={own['pid']}", f"--log-file={own['log']}",
                    f"--seed-file={own['seed']}")
        self.wait_until(lambda: (self.folder / "munge.socket").exists(), "munged does not start")
        self.daemon("slurmctld", "-D")
        for node in ["n1", "n2"]:
            self.daemon("slurmd", "-D", "-N", node)
        self.wait_until(lambda: self.say("sinfo", "-h", "-o", "%T %D").stdout.split() == ["idle", "2"],
                        "the two nodes do not come up")

    def daemon(self, *command):
        log = (self.folder / f"{command[0]}.{len(self.started)}.out").open("wb")
        self.started.append(subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                             stderr=subprocess.STDOUT))
        log.close()

    def say(self, *command, **more):
        return subprocess.run([*map(str, command)], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=600, cwd=self.folder, **more)

    def wait_until(self, condition, complaint):
        for _ in range(300):
            if condition():
                return
            time.sleep(0.2)
        logs = "".join(f"{path.name}: {path.read_text(errors='replace')[-800:]}\n" for path in
                       [*self.folder.glob("*.log"), *self.folder.glob("*.out")])
        self.stop()
        skip(f"{complaint} here:\n{logs}")

    def stop(self):
        if len(self.started) > 1:  # a job that a failed test left would outlive its daemons
            self.say("scancel", f"--user={os.geteuid()}")
            for _ in range(100):
                left = self.say("squeue", "-h")
                if left.returncode != 0 or not left.stdout.strip():
                    break
                time.sleep(0.2)
        for process in reversed(self.started):
            process.terminate()
        for process in self.started:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
            process.wait()


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tuneproof-slurm-", ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = Cluster(folder.name)
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
        self.assertIn("2 nodes, 1 rows", log)
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
