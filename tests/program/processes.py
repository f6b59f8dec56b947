"""What the tests of rows in several processes see of them: who descends from whom, and where they listen."""

import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import tempfile
import time
import unittest

PATIENCE = 600  # on a machine that builds eight programs at once, too
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it is ignored, and what we start would ignore it, too
SUBREAPER = 36  # of prctl: who loses its parent becomes ours, so that nothing can hide from us


def adopt_orphans():
    ctypes.CDLL(None).prctl(SUBREAPER, 1)


def state_of(pid):
    """The letter of its state and its parent; of one that has gone "", 0."""
    try:
        words = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return words[0], int(words[1])
    except (FileNotFoundError, ProcessLookupError):
        return "", 0


def descendants(root):
    parents = {int(path.name): state_of(path.name)[1] for path in pathlib.Path("/proc").iterdir() if path.name.isdigit()}
    found, new = set(), {root}
    while new:
        new = {pid for pid, parent in parents.items() if parent in new} - found
        found |= new
    return found


def reap_orphans():
    """What a killed program has left is ours: waits until it has ended."""
    end = time.monotonic() + PATIENCE
    while descendants(os.getpid()) and time.monotonic() < end:
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        time.sleep(0.01)


def described(pid):
    """Its state, its parent and its command line, for who reads of a process that should not be there."""
    state, parent = state_of(pid)
    return f"{state}, child of {parent}: {command_of(pid).replace(bytes(1), b' ').decode(errors='replace')}"


def command_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def is_rank(pid):
    return b"--rank" in command_of(pid).split(b"\0")


def ranks_of(root):
    return [pid for pid in descendants(root) if is_rank(pid)]


def listeners(table):
    """Address and inode of each listening socket in a file like /proc/net/tcp."""
    for line in pathlib.Path(table).read_text().splitlines()[1:]:
        words = line.split()
        if words[3] == "0A":
            yield words[1], words[9]


def listening(pid):
    """The addresses at which the process's sockets listen, as /proc/net has them; none of one that has gone."""
    try:
        return listening_of(pid)
    except (FileNotFoundError, ProcessLookupError):
        return []


def listening_anywhere():
    """The addresses at which any process of this machine listens."""
    return {address for table in ["tcp", "tcp6"] for address, _ in listeners(f"/proc/net/{table}")}


def listening_of(pid):
    inodes = set()
    for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            if found := re.match(r"socket:\[(\d+)\]", os.readlink(entry)):
                inodes.add(found[1])
        except FileNotFoundError:
            continue
    return [address for table in ["tcp", "tcp6"] for address, inode in listeners(f"/proc/{pid}/net/{table}") if inode in inodes]


class ProcessesTest(unittest.TestCase):
    """Its programs write into a folder of its own. Whatever they start descends from this process, whoever dies: a program that ends
    without having waited for a child leaves that child here, ended or not."""

    def setUp(self):
        adopt_orphans()
        reap_orphans()  # of an earlier test, whose programs were killed
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tuneproof."))
        self.addCleanup(shutil.rmtree, self.folder)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.file = self.folder / "r.json"
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("needs two CPUs")

    def environment(self, **more):
        return {**os.environ, "TMPDIR": str(self.temporary), "XDG_CACHE_HOME": str(self.folder / "cache"), **more}

    def block(self):
        return json.loads(self.file.read_text())["tuneproof"]

    def reasons(self):
        return {error["id"]: error["message"] for error in self.block()["errors"]}

    def first_rank(self, program, or_none=False):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and program.poll() is None:
            if ranks := ranks_of(program.pid):
                return ranks[0]
            time.sleep(0.01)
        if or_none:
            return None
        self.fail(f"there was no rank: {program.communicate()}")

    def assert_nothing_is_left(self):
        self.assertEqual({pid: described(pid) for pid in descendants(os.getpid())}, {}, "processes")
        self.assertEqual(list(self.temporary.iterdir()), [], "files")
        self.assertLessEqual({path.name for path in self.folder.iterdir()}, {"tmp", "r.json", "cache"})
