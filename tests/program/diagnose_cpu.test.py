"""Real trainings on the CPU: `tuneproof diagnose` names the trouble that was planted in each.

Usage: diagnose_cpu.test.py TUNEPROOF PYTHON_WITH_TORCH
"""

import json
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77

# Six steps are few: on a busy machine another program takes a part of them, of the shortest most often. A script is
# wrong if it always is.
RECORDINGS = 12

# Another program that takes the processor leaves gaps, too: on a busy machine healthy trainings have this finding.
BY_OTHERS = "outside_pytorch"


def findings(program, trace):
    """None where the regime cannot be said: other programs took most of such a recording."""
    said = subprocess.run([program, "diagnose", trace, "--json", "-"], capture_output=True, text=True, timeout=120, check=True)
    diagnosis = json.loads(said.stdout)
    if diagnosis["verdict"]["regime"] == "cannot say":
        return None
    return [finding for finding in diagnosis["findings"] if finding["id"] != BY_OTHERS]


def by_id(found, identity):
    return next((finding for finding in found if finding["id"] == identity), None)


def wrong(program, folder, name, planted):
    """What is not as it should be with the traces of one script; empty where all is well."""
    found = findings(program, folder / f"{name}.json")
    mended = [] if planted == "-" else findings(program, folder / f"{name}.mended.json")
    if found is None or mended is None:
        return [f"{name}: the regime cannot be said"]
    if planted == "-":
        return [f"{name}: {finding['id']} is high" for finding in found if finding["severity"] == "high"]
    if by_id(found[:2], planted) is None:
        return [f"{name}: {planted} is not among the first two of {[finding['id'] for finding in found]}"]
    # A quarter: where the mended form still loads or calls, it does less of it.
    rest = by_id(mended, planted)
    still = rest is not None and rest["saves_us"] >= by_id(found, planted)["saves_us"] / 4
    return [f"{name}: {planted} is still there when mended"] if still else []


def wrongs_of(program, python, names):
    """Records these scripts, all without names; what is wrong with each, by its name."""
    scripts = pathlib.Path(__file__).with_name("planted_cpu.py")
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run([python, scripts, folder, *names], capture_output=True, text=True, timeout=900, check=False)
        assert ran.returncode == 0, ran.stderr
        lines = [line.split() for line in ran.stdout.splitlines()]
        return {name: wrong(program, pathlib.Path(folder), name, planted) for name, planted in lines}


def main(program, python):
    if subprocess.run([python, "-c", "import torch"], capture_output=True, check=False).returncode != 0:
        print(f"skipped: {python} has no torch")
        return SKIPPED
    left, scripts = [], 0
    for _ in range(RECORDINGS):
        wrongs = wrongs_of(program, python, left)
        scripts = scripts or len(wrongs)
        left = [name for name, what in wrongs.items() if what]
        print(*(line for what in wrongs.values() for line in what), sep="\n", flush=True)
        if not left:
            print(f"{scripts} scripts as expected")
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
