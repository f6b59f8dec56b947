"""Writes what CUDA's own files know: the errors' names, and a function for each name that the runtime exports and the
stand-in does not implement. It returns cudaErrorNotSupported and says its name.

Usage: make_sources.py names driver_types.h OUT
       make_sources.py stubs NM CALL LIBRARY IMPLEMENTED OUT   (the library's exports, or with CALL = driver, cupti its imports)
"""

import pathlib
import re
import subprocess
import sys


def error_names(header):
    body = re.search(r"enum __device_builtin__ cudaError$(.*?)^};", header.read_text(), re.M | re.S)[1]
    names = re.findall(r"^\s*(cuda\w+)\s*=", body, re.M)
    rows = "".join(f'    {{{name}, "{name}"}},\n' for name in names)
    return ("struct ErrorName {\n  cudaError_t value;\n  const char* name;\n};\n"
            f"constexpr ErrorName error_names[] = {{\n{rows}}};\n")


def symbols(nm, library, kind):
    words = subprocess.run([nm, *(["-D"] if ".so" in library.name else []), kind, library], check=True,
                           capture_output=True, text=True).stdout.split()
    return {word.split("@")[0] for word in words}


def runtime_stubs(missing):
    bodies = [f'__attribute__((visibility("default"))) int {name}() {{ return stand_in_missing("{name}"); }}'
              for name in missing]
    return "\n".join(['extern "C" {', "int stand_in_missing(const char*);", *bodies, "}", ""])


def driver_stubs(missing):
    """Arguments go on as they came: these functions take at most eleven, each of them a word."""
    types = ", ".join(["void*"] * 11)
    words = ", ".join(f"void* {letter}" for letter in "abcdefghijk")
    values = ", ".join("abcdefghijk")
    bodies = [f'int {name}({words}) {{ return reinterpret_cast<int (*)({types})>(stand_in_driver_entry("{name}"))({values}); }}'
              for name in missing]
    return "\n".join(['extern "C" {', "void* stand_in_driver_entry(const char*);", *bodies, "}", ""])


def cupti_stubs(wanted):
    """As where no profiler of CUDA can start: CUPTI_ERROR_NOT_INITIALIZED. What is to be said instead is asked for by name."""
    says = 'int cuptiGetResultString(int, const char** out) { *out = "the stand-in has no CUPTI"; return 0; }'
    bodies = [f"int {name}() {{ return 15; }}" for name in wanted if name != "cuptiGetResultString"]
    return "\n".join(['extern "C" {', says, *bodies, "}", ""])


def main():
    if sys.argv[1] == "names":
        pathlib.Path(sys.argv[3]).write_text(error_names(pathlib.Path(sys.argv[2])))
        return
    _, _, nm, call, library, implemented, out = sys.argv
    if call in ("driver", "cupti"):
        begin, stubs = {"driver": ("cu[A-Z]", driver_stubs), "cupti": ("cupti[A-Z]", cupti_stubs)}[call]
        names = {name for name in symbols(nm, pathlib.Path(library), "--undefined-only") if re.match(begin, name)}
        text = stubs(sorted(names))
    else:
        names = {name for name in symbols(nm, pathlib.Path(library), "--defined-only")
                 if re.match(r"(__)?cuda[A-Z]", name)}
        here = set()
        for file in implemented.split(";"):
            here |= symbols(nm, pathlib.Path(file), "--defined-only")
        text = runtime_stubs(sorted(names - here))
    pathlib.Path(out).write_text(text)


if __name__ == "__main__":
    main()
