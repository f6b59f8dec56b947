"""A Slurm of four nodes that are all this host: Debian's, started by a test and ended again.

Ends the program with 77, CTest's code for a skipped test, where Slurm and Munge are missing (Debian: slurmctld slurmd
slurm-client munge), or without root, which both want.
"""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

TOOLS = ["slurmctld", "slurmd", "srun", "sbatch", "scontrol", "sinfo", "munged"]
NODES = ["n1", "n2", "n3", "n4"]
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
NodeName=n3 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[3]} CPUs=1
NodeName=n4 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[4]} CPUs=1
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP OverSubscribe=EXCLUSIVE
"""


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


class Cluster:
    """Four slurmd, a slurmctld and a munged of our own; the host's own Slurm, if any, is left alone."""

    def __init__(self, folder, **environment):
        self.folder = pathlib.Path(folder)
        self.folder.chmod(0o755)
        for name in ["state", *(f"spool.{node}" for node in NODES)]:
            (self.folder / name).mkdir()
        self.started = []
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf"), "TMPDIR": str(self.folder),
                            **environment}
        host = socket.gethostname().split(".")[0]
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(folder=folder, host=host, ports=free_ports(1 + len(NODES))))
        (self.folder / "munge.key").write_bytes(os.urandom(1024))
        (self.folder / "munge.key").chmod(0o400)

    def start(self):
        own = {name: f"{self.folder}/munge.{name}" for name in ["socket", "pid", "log", "seed"]}
        self.daemon("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                    f"--socket={own['socket']}", f"--pid-file={own['pid']}", f"--log-file={own['log']}",
                    f"--seed-file={own['seed']}")
        self.wait_until(lambda: (self.folder / "munge.socket").exists(), "munged does not start")
        self.daemon("slurmctld", "-D")
        for node in NODES:
            self.daemon("slurmd", "-D", "-N", node)
        self.wait_until(lambda: self.say("sinfo", "-h", "-o", "%T %D").stdout.split() == ["idle", str(len(NODES))],
                        "the nodes do not come up")

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
