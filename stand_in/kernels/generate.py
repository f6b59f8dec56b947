#!/usr/bin/env python3
"""Turns a .cu file's kernels into C++ for the host, and announces them to the stand-in's runtime.

Usage: generate.py PROJECT FILE.cu OUT.cpp. FILE.cu is named from PROJECT's root. Stops at a CUDA word that it does not
know, so that a kernel is never compiled into something else.
"""

import pathlib
import re
import sys

PLACES = {"threadIdx": "thread", "blockIdx": "block", "blockDim": "block_size", "gridDim": "grid_size"}
WORDS = ["syncthreads", "shfl_sync", "shfl_xor_sync", "fmaf_rn", "fmul_rn", "fdiv_rn", "fsqrt_rn"]
KERNEL = re.compile(r"__global__ void (?:__launch_bounds__\(\w+\) )?(\w+)\(")
CLOCK = 'asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));'
# 51 billion links that nobody reads: the canary keeps a device busy, and the stand-in measures nothing.
SHORTER = {"canary": ("int links) {", "int links) {\n  if (blockIdx.x > 0 || links > 1000) links = 1;")}


def read(project, name, names):
    """The file's text with those of the .cuh files that it includes; their names are added to `names`."""
    names.append(name)
    text = (project / name).read_text().replace("#pragma once", "")
    return re.sub(r'#include "([^"]+\.cuh)"', lambda found: read(project, found[1], names), text)


def kernels_only(text):
    """Without the host's functions, which stand behind the unnamed namespace."""
    return text[:text.rindex("\n}  // namespace\n")]


def shared(declared):
    """Shared memory of the running block, aligned as the declaration promises."""
    alignment, kind, name, extents = declared.groups()
    return (f"using shared_{name} = {kind}{extents}; static const char key_{name} = 0; "
            f"auto& {name} = *static_cast<shared_{name}*>(stand_in::kernels::shared_memory("
            f"&key_{name}, sizeof(shared_{name}), {alignment or f'alignof(shared_{name})'}));")


def translated(text):
    for kernel in KERNEL.findall(text):
        if kernel in SHORTER:
            text = text.replace(*SHORTER[kernel])
    text = re.sub(r"\w+<<<[^;]*;", ";", text)
    text = text.replace(CLOCK, "now = stand_in::kernels::nanoseconds();")
    text = re.sub(r"#pragma unroll.*", "", text)
    text = re.sub(r"(?:alignas\((\d+)\) )?(?<!extern )__shared__ (\w+) (\w+)([^;]*);", shared, text)
    text = re.sub(r"__(?:global|host|device|constant)__ |__launch_bounds__\(\w+\) ", "", text)
    for word, place in PLACES.items():
        text = re.sub(rf"\b{word}\b", f"stand_in::kernels::here().{place}", text)
    for word in WORDS:
        text = re.sub(rf"\b__{word}\(", f"stand_in::kernels::{word}(", text)
    return re.sub(r"(?<![\w:.])(min|atomicAdd)\(", r"stand_in::kernels::\1(", text)


def announcement(file, kernels, variables):
    stem = pathlib.PurePath(file).stem
    lines = [f'  stand_in::add_kernel("{stem}", "{name}", stand_in::kernels::unpack(&{name}));' for name in kernels]
    lines += [f'  stand_in::add_variable("{stem}", "{name}", &{name});' for name in variables]
    return "const bool announced = [] {\n" + "\n".join(lines) + "\n  return true;\n}();\n"


def generated(file, text):
    source = kernels_only(text)
    space = re.search(r"^namespace ([\w: ]+) \{", source, re.M)[1]
    code = translated(source)
    announced = announcement(file, KERNEL.findall(source), re.findall(r"__constant__ \w+ (\w+)\[", source))
    # What a file has for some architectures only is left to the preprocessor, for which there is none.
    if unknown := re.search(r"\b__\w+|<<<|\basm\b|\b\w*Idx\b", re.sub(r"//.*|#if .*__CUDA_ARCH__.*", "", code)):
        sys.exit(f"generate.py: {file}: does not know '{unknown[0]}'")
    return (f'#include "stand_in/kernels/device_functions.hpp"\n\n#line 1 "{file}"\n{code}\n\n{announced}\n'
            f"}}  // namespace\n}}  // namespace {space}\n")


def main():
    project, file, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    names = []
    code = generated(file, read(project, file, names))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(code)
    pathlib.Path(f"{out}.d").write_text(f"{out}: {' '.join(str(project / name) for name in names)}\n")


if __name__ == "__main__":
    main()
