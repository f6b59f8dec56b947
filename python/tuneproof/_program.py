"""The program of this package, and what it needs of the environment."""

import glob
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE / "bin" / "tuneproof"
# The versions of LibTorch (empty: these have no steps), of CUDA and of the C library that the programs were built with; the build
# writes it.
NEEDS = json.loads((HERE / "needs.json").read_text())
NEED_TORCH = {"run", "profile", "prices", "selftest", "doctor", "train"}
NEED_STEPS = NEED_TORCH | {"explain", "learn", "list", "simulate"}


def numbers(version):
    return [int(part) for part in version.split("+")[0].split(".") if part.isdigit()]


def why_no_machine():
    """Why the programs cannot start here at all; empty where they can."""
    name, version = platform.libc_ver()
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return f"this package holds programs for Linux on x86_64, and this is {platform.system()} on {platform.machine()}"
    if name != "glibc":
        return "this package needs glibc, and the C library here is another (Alpine has musl): use an image of Debian or Ubuntu"
    if numbers(version) < numbers(NEEDS["glibc"]):
        return f"this package needs glibc {NEEDS['glibc']}, and here is {version}: use Debian 12, Ubuntu 24.04 or newer"
    return ""


def why_no_torch():
    """Why LibTorch cannot be used; empty where it can."""
    wanted = NEEDS["torch"]
    advice = f"run `pip install 'torch~={wanted}'`"
    try:
        version = importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return f"needs torch ~= {wanted}, and this environment has none; {advice}"
    if numbers(version)[:2] != numbers(wanted)[:2] or numbers(version) < numbers(wanted):
        minor = ".".join(str(part) for part in numbers(version)[:2])
        return (f"needs torch ~= {wanted}, and this environment has {version}; install the wheel with +torch{minor} in its name, "
                f"if there is one, or {advice}")
    cuda = cuda_of_torch()
    if cuda != NEEDS["cuda"]:
        return (f"needs a torch that is built with CUDA {NEEDS['cuda']}, as PyPI's is, and this environment has {version}, "
                f"{f'built with CUDA {cuda}' if cuda else 'built without'}; run `pip install --force-reinstall 'torch~={wanted}'`")
    return ""


def cuda_of_torch():
    """The major version, read and not imported, which takes seconds; empty where torch is built without."""
    found = re.search(r"^cuda\b.*= '(\d+)", (torch_folder() / "version.py").read_text(), re.M)
    return found[1] if found else ""


def torch_folder():
    return pathlib.Path(importlib.util.find_spec("torch").submodule_search_locations[0])


def environment():
    """Beside torch the programs find its libraries by themselves; elsewhere this says where it lies."""
    if importlib.util.find_spec("torch") is None or torch_folder().parent == HERE.parent:
        return dict(os.environ)
    torch = torch_folder()
    folders = [str(torch / "lib"), *sorted(glob.glob(str(torch.parent / "nvidia" / "*" / "lib")))]
    before = os.environ.get("LD_LIBRARY_PATH")
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(folders + ([before] if before else []))}


def why_not(arguments):
    """Why the command cannot run here; empty where it can."""
    reason = why_no_machine()
    if reason or not arguments or {"-h", "--help"} & set(arguments):
        return reason
    if not NEEDS["torch"]:
        return arguments[0] in NEED_STEPS and (f"`tuneproof {arguments[0]}` is about published tips, and this wheel has none; "
                                               "install one with +torch in its name")
    if arguments[0] in NEED_TORCH or arguments[0] == "compare" and "--base" in arguments:
        reason = why_no_torch()
        return reason and f"`tuneproof {arguments[0]}` {reason}"
    return ""


def main():
    """The command `tuneproof`: becomes the program."""
    reason = why_not(sys.argv[1:])
    if reason:
        sys.exit(f"tuneproof: {reason}")
    os.execve(PROGRAM, ["tuneproof", *sys.argv[1:]], environment())


def run(*patterns, json_file=None, **options):
    """Measures the rows of these steps, as `tuneproof run` does, and returns its results as results() does.

    `options` are those of the command: run("sync/*", device="cpu", looks=3).
    """
    return rows_of(["run", *patterns], json_file, options)


def versus(commands, *, json_file=None, **options):
    """Compares each command with the first, as `tuneproof versus` does, and returns its results as results() does.

    `options` are those of the command: versus(["./old", "./new"], name=["old", "new"], metric="cpu", budget="5m"), or
    versus(["./train --workers {w}"], parameter={"w": [0, 2, 4]}).
    """
    if isinstance(commands, str):
        raise TypeError('versus(): expected a list of commands, such as ["./old", "./new"]')
    return rows_of(["versus", *commands], json_file, options)


def option_words(options):
    """A list repeats its option; a dictionary holds names and their values."""
    for name, value in options.items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, dict):
            for key, values in value.items():
                yield from (option, str(key), ",".join(map(str, values)))
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None and one is not False:
                yield from (option,) if one is True else (option, str(one))


def rows_of(words, json_file, options):
    """Runs the command with these options, and returns the rows of the file that it writes."""
    words = [*words, *option_words(options)]
    with tempfile.TemporaryDirectory(prefix="tuneproof") as folder:
        file = str(json_file or pathlib.Path(folder) / "results.json")
        before = written_at(file)
        ran = call([*words, "--json", file])
        if written_at(file) == before:
            raise RuntimeError(ran.stderr.strip() or f"tuneproof ended with {ran.returncode}")
        return results(file)


def written_at(file):
    """Differs once the file has been written anew: an earlier one must not be taken for what failed now."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def call(arguments):
    reason = why_not(arguments)
    if reason:
        raise RuntimeError(reason)
    return subprocess.run([str(PROGRAM), *arguments], env=environment(), text=True, capture_output=True, check=False)


def results(file):
    """The rows of a results file: a pandas frame where pandas is installed, else a list of dictionaries.

    `change`, `low` and `high` are shares: -0.25 is a quarter less. `naive` and `optimized` are in `unit`: "s", or of versus "B",
    "instructions" or "", a number that was printed; `naive_seconds` and `optimized_seconds` are the same of times, else None.
    """
    measured = json.loads(pathlib.Path(file).read_text()).get("tuneproof", {})
    if not {"pairs", "errors"} <= set(measured):
        raise ValueError(f"{file} is no results file of `tuneproof run --json`")
    rows = [row_of(row) for row in measured["pairs"]] + [unmeasured(row) for row in measured["errors"]]
    if importlib.util.find_spec("pandas") is None:
        return rows
    import pandas
    return pandas.DataFrame(rows)


# As the table of `tuneproof run` words them.
VERDICTS = {"no_effect": "no effect", "inconclusive": "cannot tell"}


def figures(row):
    """change, low, high, naive and optimized seconds (or what else was compared); None where nothing was measured."""
    result = row["result"]
    is_rate = row["id"].startswith("versus/rate/")  # of which the file has the inverse

    def printed(value, scale=1):
        return None if value is None else 1 / (value * scale) if is_rate else value * scale

    def share(ratio):
        return None if ratio is None else printed(ratio) - 1

    low, high = result.get("ratio_ci") or (None, None)
    if is_rate:
        low, high = high, low
    naive, optimized, ratio = (result.get(name) for name in ("naive_ns", "optimized_ns", "ratio"))
    if naive and optimized and ratio and row.get("sides", [""])[0] != "fixed work":
        optimized = naive * ratio  # as the table shows it
    return share(ratio), share(low), share(high), printed(naive, 1e-9), printed(optimized, 1e-9)


# What `versus` compares beside times, by the beginning of a row.
UNITS = {"versus/memory/": "B", "versus/instructions/": "instructions", "versus/printed/": "", "versus/rate/": ""}


def row_of(row):
    result = row["result"]
    change, low, high, naive, optimized = figures(row)
    unit = next((unit for start, unit in UNITS.items() if row["id"].startswith(start)), "s")
    seconds = (naive, optimized) if unit == "s" else (None, None)
    return {"row": row["id"], "device": row["device"], "verdict": VERDICTS.get(result["verdict"], result["verdict"]),
            "change": change, "low": low, "high": high, "naive": naive, "optimized": optimized, "unit": unit,
            "naive_seconds": seconds[0], "optimized_seconds": seconds[1], "published": row["published"],
            "reason": ", ".join(result["flags"])}


def unmeasured(row):
    return {"row": row["id"], "device": row["device"], "verdict": row["verdict"], "change": None, "low": None,
            "high": None, "naive": None, "optimized": None, "unit": None, "naive_seconds": None, "optimized_seconds": None,
            "published": row["published"], "reason": row["message"]}
