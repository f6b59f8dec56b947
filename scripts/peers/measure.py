"""Measures the programs of others with which ours are compared, from a folder that was brought along.

Usage: measure.py copies|stgym|models --kit DIR --out FILE [--device cuda] [--scale 1] [--python PYTHON]

DIR has what the kind needs: the program nvbandwidth; STGym at its first and its last commit in stgym-first and stgym-last;
nanoGPT and Pytorch-UNet; and in packages, if need be, what Python lacks for them. Adds one JSON line to FILE for each form
as it ends; called again it measures those that FILE lacks. page.py sets them beside our rows.

Exit code 0: each form was measured. 1: wrong use, or one failed.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys

from peer_lines import whole_lines

HERE = pathlib.Path(__file__).resolve().parent
COPIES = ["host_to_device_memcpy_ce", "device_to_host_memcpy_ce", "host_to_device_bidirectional_memcpy_ce", "device_local_copy"]
COPY_BYTES = 512 << 20
EPOCHS = 2  # of seven steps, for STGym
STEPS = 10  # of a model
MODELS = ["resnet50", "unet", "gpt"]
FORMS = [["eager", "fused", "fused_fp32", "bf16"], ["compiled", "compiled_bf16"]]  # what has to be compiled comes last


class Failure(Exception):
    """One sentence for the user."""


def lines_of(command: list[str], environment: dict[str, str]):
    """The JSON lines that a program prints, as it prints them; the rest goes to our own output."""
    try:
        child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    except OSError as error:
        raise Failure(f"{command[0]}: {error.strerror}") from None
    with child.stdout:
        for line in child.stdout:
            print(line, end="", flush=True)
            if line.startswith('{"peer"'):
                yield json.loads(line)
    if child.wait() != 0:
        raise Failure(f"{pathlib.Path(command[-1] if len(command) == 1 else command[2]).name} ended with {child.returncode}")


def card() -> dict:
    """Which card nvbandwidth measured: the only one, or the first."""
    try:
        said = subprocess.run(["nvidia-smi", "--query-gpu=name,uuid", "--format=csv,noheader"], capture_output=True, text=True,
                              check=True).stdout
        name, uuid = said.splitlines()[0].split(", ")
    except (OSError, subprocess.CalledProcessError, IndexError, ValueError):
        return {"card": None, "uuid": None}
    return {"card": name, "uuid": uuid}


class Copies:
    def __init__(self, given: argparse.Namespace):
        self.program = str(given.kit / "nvbandwidth")

    def runs(self) -> list[list[str]]:
        return [COPIES]

    def measure(self, forms: list[str], environment: dict[str, str]):
        command = [self.program, "-j", "-i", "5", "-b", str(COPY_BYTES >> 20), "-t", *forms]
        try:
            said = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        except OSError as error:
            raise Failure(f"{self.program}: {error.strerror}") from None
        try:
            content = json.loads(said.stdout[said.stdout.index("{"):])["nvbandwidth"]
            cases = {case["name"]: case for case in content["testcases"]}
        except (ValueError, KeyError, TypeError) as error:
            last = (said.stderr or said.stdout).strip().splitlines()[-1:] or [str(error)]
            raise Failure(f"{self.program} ended with {said.returncode} and no JSON of test cases: {last[0]}") from None
        for form in forms:
            case = cases.get(form, {"status": "not there"})
            facts = {"peer": "nvbandwidth", "form": form, "bytes": COPY_BYTES, "version": content.get("git_version"), **card()}
            passed = case.get("status") == "Passed" and case.get("bandwidth_matrix")
            yield {**facts, **({"rate_gb_s": float(case["bandwidth_matrix"][0][0])} if passed else {"failed": case.get("status")})}


class Stgym:
    FORMS = {"first": ["stgym-first", "anomaly"], "last": ["stgym-last"], "first, one thread": ["stgym-first", "anomaly"]}

    def __init__(self, given: argparse.Namespace):
        self.given = given

    def runs(self) -> list[list[str]]:
        return [[form] for form in self.FORMS]

    def measure(self, forms: list[str], environment: dict[str, str]):
        folder, *options = self.FORMS[forms[0]]
        threads = {"OMP_NUM_THREADS": "1"} if "one thread" in forms[0] else {}
        yield from lines_of([self.given.python, "-B", str(HERE / "stgym_step.py"), str(self.given.kit / folder), forms[0],
                             self.given.device, self.given.scale, str(EPOCHS), *options], {**environment, **threads})


class Models:
    def __init__(self, given: argparse.Namespace):
        self.given = given

    def runs(self) -> list[list[str]]:
        return [[f"{model} {form}" for form in forms] for forms in FORMS for model in MODELS]

    def measure(self, forms: list[str], environment: dict[str, str]):
        device, model = self.given.device, forms[0].split()[0]
        folders = [str(self.given.kit / name) for name in ["nanoGPT", "Pytorch-UNet"]]
        size = "cpu" if device == "cpu" else "device"
        for line in lines_of([self.given.python, "-B", str(HERE / "models_step.py"), *folders, model, size, device, str(STEPS),
                              *(form.split()[1] for form in forms)], environment):
            yield {**line, "form": f"{model} {line['form']}"}


def measured(file: pathlib.Path) -> set[str]:
    return {line["form"] for line in whole_lines(file) if "failed" not in line}


def end_half_line(file: pathlib.Path) -> None:
    """A kill or a full disk may have left one: what is added must not be glued to it."""
    if file.exists() and file.read_bytes()[-1:] not in (b"", b"\n"):
        with file.open("a") as out:
            out.write("\n")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="measure.py", usage=__doc__.split("\n\n")[1])
    parser.add_argument("what", choices=["copies", "stgym", "models"])
    parser.add_argument("--kit", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--scale", default="1")
    parser.add_argument("--python", default=sys.executable)
    return parser.parse_args()


def main() -> int:
    given = arguments()
    kind = {"copies": Copies, "stgym": Stgym, "models": Models}[given.what](given)
    packages = given.kit / "packages"
    path = os.pathsep.join([*([str(packages)] if packages.is_dir() else []), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep)
    environment = {**os.environ, **({"PYTHONPATH": path} if path else {})}
    failed = 0
    end_half_line(given.out)
    for forms in kind.runs():
        left = [form for form in forms if form not in measured(given.out)]
        try:
            for line in kind.measure(left, environment) if left else ():
                failed += "failed" in line
                with given.out.open("a") as out:
                    out.write(json.dumps(line) + "\n")
        except Failure as failure:
            print(f"measure.py: {failure}", file=sys.stderr, flush=True)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
