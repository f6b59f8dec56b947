"""Real trainings on the CPU: `tuneproof diagnose` names the trouble that was planted in each.

Usage: diagnose_cpu.test.py TUNEPROOF PYTHON_WITH_TORCH
"""

import json
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77

# Another program that takes the processor leaves gaps, too: on a busy machine healthy trainings have this finding.
BY_OTHERS = "outside_pytorch"


def findings(program, trace):
    said = subprocess.run([program, "diagnose", trace, "--json", "-"], capture_output=True, text=True, timeout=120, check=True)
    diagnosis = json.loads(said.stdout)
    assert diagnosis["verdict"]["regime"] != "cannot say", trace
    return [finding for finding in diagnosis["findings"] if finding["id"] != BY_OTHERS]


def by_id(found, identity):
    return next((finding for finding in found if finding["id"] == identity), None)


def wrong(program, folder, name, planted):
    """What is not as it should be with the traces of one script; empty where all is well."""
    found = findings(program, folder / f"{name}.json")
    if planted == "-":
        return [f"{name}: {finding['id']} is high" for finding in found if finding["severity"] == "high"]
    if by_id(found[:2], planted) is None:
        return [f"{name}: {planted} is not among the first two of {[finding['id'] for finding in found]}"]
    # A quarter: where the mended form still loads or calls, it does less of it.
    rest = by_id(findings(program, folder / f"{name}.mended.json"), planted)
    still = rest is not None and rest["saves_us"] >= by_id(found, planted)["saves_us"] / 4
    return [f"{name}: {planted} is still there when mended"] if still else []


def main(program, python):
    if subprocess.run([python, "-c", "import torch"], capture_output=True, check=False).returncode != 0:
        print(f"skipped: {python} has no torch")
        return SKIPPED
    scripts = pathlib.Path(__file__).with_name("planted_cpu.py")
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run([python, scripts, folder], capture_output=True, text=True, timeout=900, check=False)
        assert ran.returncode == 0, ran.stderr
        wrongs = [line for script in ran.stdout.splitlines() for line in wrong(program, pathlib.Path(folder), *script.split())]
    print("\n".join(wrongs) or f"{len(ran.stdout.splitlines())} scripts as expected")
    return 1 if wrongs else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
