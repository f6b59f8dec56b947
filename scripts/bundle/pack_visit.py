"""Packs a folder into one file of at most 16 MiB; what does not fit is left out and named."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import subprocess
import tarfile
import typing

HERE = pathlib.Path(__file__).resolve().parent
MOST_BYTES = 16 << 20
LEFT_OUT = "LEFT_OUT.txt"
RATIO = 6  # by how much text shrinks, about: which file is the heaviest rests on it


def environment() -> dict[str, str]:
    """The bundle's own zstd finds its libraries beside it."""
    own = str(HERE / "lib")
    return {**os.environ, "LD_LIBRARY_PATH": own + os.pathsep + os.environ.get("LD_LIBRARY_PATH", "")}


def packer() -> tuple[list[str], str]:
    """The command that packs its input, and what its output's name ends in."""
    for zstd in (shutil.which("zstd"), str(HERE / "bin/zstd")):
        if zstd and pathlib.Path(zstd).exists():
            tried = subprocess.run([zstd, "--version"], capture_output=True, env=environment(), check=False)
            if tried.returncode == 0:
                return [zstd, "-q", "-12", "-T0", "-c"], ".tar.zst"
    return ["gzip", "-9", "-c"], ".tar.gz"


def weight(path: pathlib.Path) -> float:
    """About what the file takes in the archive."""
    packed = path.suffix in {".gz", ".zst", ".xz"}
    return path.stat().st_size / (1 if packed else RATIO)


def write(folder: pathlib.Path, files: list[pathlib.Path], target: pathlib.Path, command: list[str]) -> int:
    """Replaces `target` once it is whole; the size."""
    new = target.with_name(target.name + ".new")
    with new.open("wb") as out:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.PIPE, env=environment())
        with contextlib.suppress(BrokenPipeError):  # the packer ended first, and says why
            send(folder, files, child.stdin)
        with child.stderr:
            said = " ".join(child.stderr.read().decode(errors="replace").split())
        if child.wait() != 0:
            new.unlink()
            raise SystemExit(f"tuneproof: {target} could not be packed: {said}")
    new.replace(target)
    return target.stat().st_size


def send(folder: pathlib.Path, files: list[pathlib.Path], pipe: typing.IO[bytes]) -> None:
    with pipe, tarfile.open(fileobj=pipe, mode="w|") as tar:
        for file in files:
            tar.add(file, arcname=str(pathlib.Path(folder.name) / file.relative_to(folder)), recursive=False,
                    filter=without_owner)


def without_owner(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    return info


def drop(files: list[pathlib.Path], excess: float) -> list[pathlib.Path]:
    """Takes the heaviest files away until about so many bytes are saved."""
    dropped = []
    while excess > 0 and files:
        dropped.append(max(files, key=weight))
        files.remove(dropped[-1])
        excess -= weight(dropped[-1])
    return dropped


def half_written(path: pathlib.Path) -> bool:
    """What a program that was killed had not yet given its name: our programs write behind a dot first."""
    return any(part.startswith(".") for part in path.parts)


def pack(folder: pathlib.Path, most: int = MOST_BYTES) -> str:
    """Packs beside the folder. What came of it, as a line for each fact."""
    command, ending = packer()
    target = folder.with_name(folder.name + ending)
    note = folder / LEFT_OUT
    note.unlink(missing_ok=True)
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not half_written(path.relative_to(folder)))
    left_out: list[pathlib.Path] = []
    size = write(folder, files, target, command)
    while size > most and files:
        left_out += drop(files, size - most)
        note.write_text("".join(f"{file.relative_to(folder)}: {file.stat().st_size} bytes\n" for file in left_out))
        size = write(folder, [*files, note], target, command)
    said = "".join(f"left out, too large: {file.relative_to(folder)}\n" for file in left_out)
    return f"{said}{target} ({size / (1 << 20):.1f} MiB)\n"
