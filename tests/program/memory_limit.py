"""How much address space a program may take that reads hostile files."""

import mmap
import pathlib
import resource

MEMORY = 2 << 30


def sanitized(program):
    """AddressSanitizer maps terabytes for its shadow, so no limit on address space can hold beside it."""
    with pathlib.Path(program).open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as content:
        return content.find(b"__asan_init") >= 0


def limited(program, memory=MEMORY):
    """What a child calls before it becomes `program`."""
    if memory is None or sanitized(program):
        return None
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
