#!/usr/bin/env python3
"""Shows each pin of scripts/versions.sh beside the newest version there is: wheels as pip finds them, libraries by their tags.
Each LibTorch that this builds with stands beside the newest patch of its minor version.

Usage: scripts/outdated.py [--all]    --all also shows what is at its newest
Exits with 1 where a version could not be found. It changes nothing: a newer version is taken by hand, with the tests.
"""

import concurrent.futures
import pathlib
import re
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[1]
AT_ONCE = 8  # most of a question is waiting for its answer
PATIENCE = 120  # seconds for one, which without an answer counts as not found


def output_of(*command):
    try:
        done = subprocess.run(command, text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout if done.returncode == 0 else ""


def numbers(version):
    return [int(part) for part in re.findall(r"\d+", version)]


def newest_wheel(name, minor=""):
    """As pip of this Python finds it: it leaves out what needs another Python. With "2.12." it is the newest 2.12."""
    listed = output_of(sys.executable, "-I", "-m", "pip", "index", "versions", name)
    found = re.search(rf"^Available versions:.*? ({re.escape(minor)}[^\s,]+)", listed, re.M)
    return found and found[1]


def newest_tag(repository):
    listed = output_of("git", "ls-remote", "--tags", "--refs", f"https://github.com/{repository}.git")
    tags = re.findall(r"refs/tags/((?:v|boost-)?\d+(?:\.\d+)+)$", listed, re.M)
    return max(tags, key=numbers, default=None)


def pins():
    """Name, pinned version, how to find the newest."""
    text = (PROJECT / "scripts/versions.sh").read_text()
    repositories = dict(re.findall(r"(\w+) (\w+/\w+)\)", "\n".join(file.read_text() for file in PROJECT.glob("cmake/*.cmake"))))
    repositories["libdeflate"] = "ebiggers/libdeflate"
    for line in text.splitlines():
        key, _, value = line.partition("=")
        if key.endswith("_version"):
            name = key.removesuffix("_version").replace("_", "-")
            yield name, value, lambda name=name: newest_wheel(name)
        elif key.endswith("_tag"):
            yield key.removesuffix("_tag"), value, lambda key=key: newest_tag(repositories[key.removesuffix("_tag")])
        elif key == "torches":
            newest_pins = {version.rpartition(".")[0]: version for version in re.findall(r"([\d.]+):[\d.]+:", value)}
            for minor, version in newest_pins.items():
                yield f"torch {minor}", version, lambda minor=minor: newest_wheel("torch", f"{minor}.")
        elif not key.startswith("#"):
            for name, version in re.findall(r"([\w.-]+)==([\w.]+)", value):
                yield name, version, lambda name=name: newest_wheel(name)


def main():
    missing = 0
    all_pins = list(pins())
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for (name, pinned, _), newest in zip(all_pins, pool.map(lambda pin: pin[2](), all_pins)):
            missing += newest is None
            if newest != pinned or "--all" in sys.argv:
                print(f"{name:24} {pinned:16} {newest or 'not found'}", flush=True)
    return 1 if missing else 0


if __name__ == "__main__":
    if "--help" in sys.argv or "-h" in sys.argv:
        print(__doc__)
        sys.exit(0)
    sys.exit(main())
