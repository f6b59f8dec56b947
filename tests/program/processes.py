"""What the tests of rows in several processes see of them: who descends from whom, and where they listen."""

import ctypes
import os
import pathlib
import re

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


def is_rank(pid):
    try:
        return b"--rank" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError):
        return False


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
