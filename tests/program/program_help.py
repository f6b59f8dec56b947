"""The commands of the program, as its help lists them, so that no test keeps a list of its own."""

import functools
import re
import subprocess


@functools.lru_cache(maxsize=None)
def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], text=True, capture_output=True, check=True).stdout


@functools.lru_cache(maxsize=None)
def commands(program, *above):
    """The names of those that stand below `above`."""
    _, _, listed = help_of(program, *above).partition("Subcommands:\n")
    return re.findall(r"(?m)^  (\w+) ", listed.split("\n\n")[0])


def all_commands(program, *above):
    """Each as its words, the program itself, (), first: ("history", "add")."""
    yield above
    for name in commands(program, *above):
        yield from all_commands(program, *above, name)
