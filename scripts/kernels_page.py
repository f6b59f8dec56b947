#!/usr/bin/env python3
"""Writes docs/kernels.md: what the compiler made of STGym's own kernels, for each kind of GPU.

Usage: scripts/kernels_page.py BUILD [--check] [--also 86 ...] [--page FILE]

BUILD is a build folder. --also compiles the kernels for kinds that the build has no machine code for; without it the
page keeps what it said of them. --check writes nothing and exits with 1 if the page differs, or with 77 where
cuobjdump is missing or the page was written with another compiler. cuobjdump is taken from PATH or from the folder
of packages that scripts/setup.sh made.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/kernels.md"
CANNOT = 77
SAID_OF = 90  # the kind that the text speaks of
BYTES = 16  # of an instruction
HEAD = ["kernel", "threads at most", "registers", "shared bytes", "stack bytes", "local loads and stores", "tensor instructions",
        "warps of the most, %"]


class Failure(Exception):
    """One sentence for the user."""


@dataclasses.dataclass(frozen=True)
class Limits:
    """Of a multiprocessor, as the CUDA C++ Programming Guide lists them."""
    warps: int
    blocks: int
    shared: int  # bytes
    reserved: int = 1024  # bytes of it for each block
    registers: int = 65536


LIMITS = {75: Limits(32, 16, 64 << 10, 0), 80: Limits(64, 32, 164 << 10), 86: Limits(48, 16, 100 << 10),
          90: Limits(64, 32, 228 << 10), 100: Limits(64, 32, 228 << 10), 120: Limits(48, 24, 100 << 10)}


@dataclasses.dataclass
class Kernel:
    file: str
    name: str
    registers: int = 0
    shared: int = 0
    stack: int = 0
    threads: int = 0
    local: int = 0
    tensor: int = 0
    loop: int = 0  # instructions of the longest one

    def percent_of_warps(self, limits: Limits) -> int:
        """Of the warps that a multiprocessor can hold, those that blocks of this kernel fill, without dynamic memory."""
        warps = -(-self.threads // 32)
        of_a_warp = -(-self.registers * 32 // 256) * 256
        by_registers = limits.registers // of_a_warp // warps if of_a_warp else limits.blocks
        by_shared = limits.shared // (self.shared + limits.reserved) if self.shared + limits.reserved else limits.blocks
        return 100 * warps * min(limits.blocks, limits.warps // warps, by_registers, by_shared) // limits.warps


def named(mangled: str) -> tuple[str, str]:
    """The file and the kernel of "_ZN9workloads5stgym59_GLOBAL__N__9edf2abe_26_gathered_product_device_cu_e5f8b26516gathered..."."""
    found = re.search(r"_\d+_(\w+?)_cu_[0-9a-f]{8}(\d+)", mangled)
    if not found:
        return "", mangled
    # The hash is of eight digits, so that what follows it is the length of the name.
    return found[1], mangled[found.end():][:int(found[2])]


def kernels_in(resources: str, code: str, facts: str) -> dict[str, Kernel]:
    """By their mangled names, from what cuobjdump prints with -res-usage, -sass and -elf."""
    found = {}
    for mangled, registers, stack, shared in re.findall(r"Function (\S+):\s+REG:(\d+) STACK:(\d+) SHARED:(\d+)", resources):
        found[mangled] = Kernel(*named(mangled), int(registers), int(shared), int(stack))
    for part in re.split(r"Function : ", code)[1:]:
        kernel = found[part.split(maxsplit=1)[0]]
        kernel.local = len(re.findall(r"\s(?:LDL|STL)\b", part))
        kernel.tensor = len(re.findall(r"\s(?:[A-Z]*MMA)\b", part))
        jumps = re.findall(r"/\*([0-9a-f]+)\*/[^;\n]*\bBRA\b[^;\n]*\b0x([0-9a-f]+)\s*;", part)
        kernel.loop = max([0, *((int(at, 16) - int(to, 16)) // BYTES + 1 for at, to in jumps)])
    for mangled, rest in re.findall(r"^\.nv\.info\.(\S+)\n(.*?)(?=^\.|\Z)", facts, re.MULTILINE | re.DOTALL):
        if threads := re.search(r"EIATTR_MAX_THREADS\s+Format:\s+\S+\s+Value:\s+(0x[0-9a-f]+)", rest):
            found[mangled].threads = int(threads[1], 16)
    return found


def cuobjdump() -> str:
    folders = [os.environ.get("PATH", ""), *map(str, ROOT.glob(".deps/*/lib/python3*/site-packages/triton/backends/nvidia/bin"))]
    found = shutil.which("cuobjdump", path=os.pathsep.join(folders))
    if found is None:
        raise Failure("there is no cuobjdump on PATH; install it with the CUDA toolkit")
    return found


def said_by(command: list) -> str:
    folder = os.path.dirname(str(command[0]))  # where cuobjdump finds nvdisasm
    path = os.pathsep.join([folder, os.environ.get("PATH", "")])
    said = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})
    if said.returncode != 0:
        raise Failure(f"{pathlib.Path(str(command[0])).name} ended with {said.returncode}: {said.stderr.strip().splitlines()[-1:]}")
    return said.stdout


def of_file(file: pathlib.Path, kind: int) -> list[Kernel]:
    texts = [said_by([cuobjdump(), what, "-arch", f"sm_{kind}", file]) for what in ["-res-usage", "-sass", "-elf"]]
    return list(kernels_in(*texts).values())


def objects(build: pathlib.Path) -> dict[pathlib.Path, list[str]]:
    """What the build makes of each of STGym's files of kernels, and by which command."""
    try:
        entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise Failure(f"{error.filename}: {error.strerror}") from None
    found = {build / entry["output"]: shlex.split(entry["command"]) for entry in entries
             if "/workloads_kernels.dir/stgym/" in entry["output"]}
    if not found:
        raise Failure(f"{build} compiles no kernels")
    return found


def compiled(build: pathlib.Path, kind: int) -> list[Kernel]:
    kernels = []
    with tempfile.TemporaryDirectory() as folder:
        for number, command in enumerate(objects(build).values()):
            out = pathlib.Path(folder) / f"{number}.cubin"
            kept = [word for word in command if not word.startswith("--generate-code=")]
            kept[kept.index("-o") + 1] = str(out)
            kept[kept.index("-c")] = "-cubin"
            said_by([*kept, f"-arch=sm_{kind}"])
            kernels += of_file(out, kind)
    return kernels


def kernels_of(build: pathlib.Path) -> dict[int, list[Kernel]]:
    """Of each kind that the build has machine code for."""
    files = list(objects(build))
    kinds = sorted({int(kind) for kind in re.findall(r"sm_(\d+)\b", said_by([cuobjdump(), "-lelf", files[0]]))})
    return {kind: [kernel for file in files for kernel in of_file(file, kind)] for kind in kinds}


def table(kernels: list[Kernel], limits: Limits) -> list[str]:
    lines = ["| " + " | ".join(HEAD) + " |", "|---" * len(HEAD) + "|"]
    for kernel in sorted(kernels, key=lambda k: (k.file, k.name)):
        cells = [f"`{kernel.file}: {kernel.name}`", kernel.threads, kernel.registers, kernel.shared, kernel.stack, kernel.local,
                 kernel.tensor, kernel.percent_of_warps(limits)]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return lines


def with_tables(page: str, tables: dict[int, list[str]], compiler: str) -> str:
    """The page with these in the place of its own, and the rest as it was."""
    text = re.sub(r"(?<=^Compiler: ).*$", compiler, page, count=1, flags=re.MULTILINE)
    for kind, lines in tables.items():
        body = "\n".join(lines)
        text, count = re.subn(rf"(?<=^## sm_{kind}\n\n)(?:.*\n)*?(?=\n|\Z)", lambda _: body + "\n", text, count=1, flags=re.MULTILINE)
        if count == 0:
            text = text.rstrip("\n") + f"\n\n## sm_{kind}\n\n{body}\n"
    return text


def with_figures(page: str, kernels: list[Kernel]) -> str:
    """The page with what these have in its text: `name`: 1 registers, or `name`: 1 registers, 2 instructions."""
    by_name = {kernel.name: kernel for kernel in kernels}

    def figures(found: re.Match[str]) -> str:
        if found[1] not in by_name:
            raise Failure(f"the page speaks of a kernel that there is not: {found[1]}")
        kernel = by_name[found[1]]
        return f"`{kernel.name}`: {kernel.registers} registers" + (f", {kernel.loop} instructions" if found[2] else "")

    return re.sub(r"`(\w+)`: \d+ registers(, \d+ instructions)?", figures, page)


def compiler_of(build: pathlib.Path) -> str:
    return "nvcc " + re.search(r"V(\d+(?:\.\d+)+)", said_by([next(iter(objects(build).values()))[0], "--version"]))[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", metavar="BUILD", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the page differs")
    parser.add_argument("--also", type=int, nargs="+", default=[], metavar="KIND", help="86: compile for it too")
    parser.add_argument("--page", type=pathlib.Path, default=PAGE, help="default: docs/kernels.md")
    given = parser.parse_args()
    page = given.page.read_text(encoding="utf-8")
    try:
        compiler = compiler_of(given.build)
        if given.check and f"Compiler: {compiler}\n" not in page:
            print(f"{given.page} was written with another compiler than {compiler}")
            return CANNOT
        kernels = kernels_of(given.build)
        kernels |= {kind: compiled(given.build, kind) for kind in given.also}
        said = with_figures(page, kernels[SAID_OF]) if SAID_OF in kernels else page
    except Failure as failure:
        print(f"kernels_page.py: {failure}", file=sys.stderr)
        return CANNOT if given.check else 1
    wanted = with_tables(said, {kind: table(kernels[kind], LIMITS[kind]) for kind in sorted(kernels) if kind in LIMITS}, compiler)
    if page == wanted:
        return 0
    if given.check:
        print(f"{given.page} differs from the build's kernels; run scripts/kernels_page.py {given.build}", file=sys.stderr)
        return 1
    given.page.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
