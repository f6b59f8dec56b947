"""A Python that has packages from PyPI in the versions of scripts/versions.sh: what tests against other people's tools run in."""

import os
import pathlib
import re
import subprocess
import sys

LONG = 900


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def ran(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, timeout=LONG)


def purelib(python):
    return pathlib.Path(ran(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip())


def python_with(name, project, pins, beside=None):
    """The interpreter of .deps/NAME, a virtual environment with the wheels that scripts/versions.sh lists as PINS. It is made where it
    is missing; the test is skipped where that fails. `beside`: an interpreter whose packages it sees too. The variable
    TUNEPROOF_NAME names an interpreter that has them already."""
    if given := os.environ.get("TUNEPROOF_" + name.upper().replace("-", "_")):
        return pathlib.Path(given)
    if beside and not beside.exists():
        skip(f"{beside} does not exist; scripts/setup.sh makes it")
    wheels = re.search(rf'^{pins}="?([^"\n]+)', (project / "scripts/versions.sh").read_text(), re.M)[1].split()
    folder = project / ".deps" / name
    python, stamp = folder / "bin/python", folder / "installed"
    if stamp.exists() and stamp.read_text().split() == wheels:
        return python
    try:
        ran(beside or sys.executable, "-m", "venv", "--clear", folder)
        if beside:
            (purelib(python) / "beside.pth").write_text(f"{purelib(beside)}\n")
        ran(python, "-m", "pip", "install", "--quiet", *wheels)
    except (OSError, subprocess.SubprocessError) as error:
        said = (getattr(error, "stderr", None) or "").strip().splitlines()
        skip(f"pip cannot install {name}: {said[-1] if said else error}")
    stamp.write_text("\n".join(wheels))
    return python


def run_inside(name, project, pins):
    """Starts the calling test again in that interpreter and exits with its code; inside it, returns."""
    inside = "TUNEPROOF_INSIDE"
    if os.environ.get(inside) != name:
        command = [python_with(name, project, pins), "-W", "ignore", *sys.argv]
        sys.exit(subprocess.run(command, env={**os.environ, inside: name}).returncode)
