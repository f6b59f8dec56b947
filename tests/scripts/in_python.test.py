"""The Python lines of all lessons (docs/in_python): each step has some, and each runs.

Usage: in_python.test.py TUNEPROOF [--part K/N] [unittest arguments]    exit 77 where this Python has no torch
       in_python.test.py --only FILE..                     just these files, for their author
"""

import ast
import concurrent.futures
import ctypes
import importlib
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import traceback
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs/in_python"
MODELS = ("gpt", "resnet50", "unet")
REMARKS = ("same", "needs", "note", "none")
SECONDS = 900  # for one file: longer than any takes on a busy machine

os.environ["TORCHDYNAMO_DISABLE"] = "1"  # lines that compile are run, but nobody waits for a compiler
try:
    import torch
    import torch._dynamo  # here and in the next lines: what many files need, imported once before the forks
    import torch.distributed
    import torch.utils.data
except ImportError:
    print("this Python has no torch")
    sys.exit(77)


class Wrong(Exception):
    """What is wrong with a file, in one sentence."""


def parse(text):
    """({remark: text}, setup, before, after): both parts are empty where there is nothing to type."""
    remarks, lines = {}, text.splitlines(keepends=True)
    while lines and lines[0].startswith("# ") and lines[0][2:].partition(":")[0] in REMARKS:
        word, _, said = lines.pop(0)[2:].partition(":")
        remarks[word] = said.strip()
    rest = "".join(lines)
    if "none" in remarks:
        if rest.strip() or len(remarks) > 1:
            raise Wrong("a file with '# none: reason' has nothing else")
        return remarks, "", "", ""
    setup, found, parts = rest.partition("# before\n")
    before, found_too, after = parts.partition("# after\n")
    if not found or not found_too or not before.strip() or not after.strip():
        raise Wrong("expected lines below '# before' and below '# after'")
    return remarks, setup, before, after


def check_form(remarks, before, after):
    for part in (before, after):
        lines = part.strip("\n").splitlines()
        if len(lines) > 8 or any(len(line) > 92 for line in lines):
            raise Wrong("a part has more than 8 lines or 92 columns")
    if before.strip() == after.strip():
        raise Wrong("before and after are equal")
    if remarks.get("needs", "cuda") != "cuda":
        raise Wrong("'# needs:' knows cuda alone")


def chain(node):
    """["torch", "cuda", "Stream"] of torch.cuda.Stream."""
    names = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    return [node.id, *names] if isinstance(node, ast.Name) else []


def check_names(code):
    """Each name below torch exists: as far as lines can be checked that cannot run here."""
    for node in ast.walk(ast.parse(code)):
        names = chain(node)
        if names[:1] != ["torch"]:
            continue
        place = torch
        for depth, name in enumerate(names[1:], 2):
            if not hasattr(place, name):
                try:
                    importlib.import_module(".".join(names[:depth]))
                except ImportError:
                    raise Wrong(f"{'.'.join(names[:depth])} does not exist") from None
            place = getattr(place, name)
            if not isinstance(place, (type(torch), type)):
                break


def instances():
    """What the lines call methods of, beside functions and modules of torch."""
    optimizer = torch.optim.AdamW([torch.zeros(1)])
    return (torch.Tensor, torch.cuda.Stream, torch.cuda.Event, torch.cuda.CUDAGraph, torch.nn.Linear(1, 1), optimizer,
            getattr(torch._C, "_cudart", None), concurrent.futures.Executor, ctypes.c_void_p, list)


def check_methods(code):
    """Each name behind a dot is one that some object of these lines has: as far as lines can be checked that cannot run here."""
    nodes = list(ast.walk(ast.parse(code)))
    imported = {alias.asname or alias.name.split(".")[0] for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named = [node for node in nodes if isinstance(node, ast.Attribute) and chain(node)[:1] != ["torch"]]
    known = {node.attr for node in named if isinstance(node.ctx, ast.Store)}.union(["__init__"], *map(dir, instances()))
    for node in named:
        if node.attr not in known and not imported & set(chain(node)[:1]):
            raise Wrong(f"nothing in these lines has '.{node.attr}'")


def same(one, other):
    if isinstance(one, torch.Tensor) or isinstance(other, torch.Tensor):
        return torch.allclose(torch.as_tensor(one).double(), torch.as_tensor(other).double(), rtol=1e-4, atol=1e-6)
    if isinstance(one, float):
        return math.isclose(one, other, rel_tol=1e-4, abs_tol=1e-6)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def run_parts(file, text):
    remarks, setup, before, after = parse(text)
    if "none" in remarks:
        return
    check_form(remarks, before, after)
    found = []
    for part in (before, after):
        code = compile(setup + part, str(file), "exec")
        check_names(setup + part)
        if remarks.get("needs") == "cuda" and not torch.cuda.is_available():
            check_methods(setup + part)
            continue
        torch.manual_seed(1)
        names = {"__name__": "__in_python__"}
        exec(code, names)
        found.append(names)
    for name in remarks.get("same", "").split() if found else []:
        if not same(found[0][name], found[1][name]):
            raise Wrong(f"'{name}' is {found[0][name]} before and {found[1][name]} after")


def wrong_in(file, text=None):
    """What is wrong with a file, run in a process of its own; empty where nothing is."""
    text = file.read_text() if text is None else text
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        said = b""
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            signal.alarm(SECONDS)
            try:
                run_parts(file, text)
            except Wrong as error:
                said = str(error).encode()
            except BaseException:
                said = traceback.format_exc(limit=-2).encode()
            os.chdir("/")
        os.write(write, said[:60000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return said or ("" if status == 0 else f"it ended with {status} within {SECONDS} s")


def file_of(step):
    folder, name = step.split("/")
    return FOLDER / ("models" if folder in MODELS else folder) / f"{name}.py"


class InPython(unittest.TestCase):
    def steps(self):
        said = subprocess.run([PROGRAM, "list", "--json"], capture_output=True, text=True, check=True)
        return [step["id"] for step in json.loads(said.stdout)["steps"]]

    def test_each_step_has_lines_in_python_or_a_reason(self):
        files = {file_of(step) for step in self.steps()}
        self.assertEqual(sorted(map(str, files)), sorted(map(str, FOLDER.glob("*/*.py"))))

    def test_each_file_runs(self):
        for file in sorted(FOLDER.glob("*/*.py"))[PART::PARTS]:
            with self.subTest(f"{file.parent.name}/{file.name}"):
                self.assertEqual(wrong_in(file), "")

    def test_a_wrong_file_is_found(self):
        setup = "import torch\n"
        for text, said in [("# before\nx = 1\n", "expected lines"), (f"{setup}# before\ny = 1\n# after\ny = torch.onse(2)\n", "onse"),
                           (f"# same: y\n{setup}# before\ny = 1\n# after\ny = 2\n", "'y' is 1 before and 2 after"),
                           (f"# needs: cuda\n{setup}# before\ny = 1\n# after\ny = torch.cuda.Straem()\n", "torch.cuda.Straem"),
                           (f"# needs: cuda\n{setup}x = torch.cuda.Stream()\n# before\ny = 1\n# after\nx.wait_straem()\n", "'.wait_straem'"),
                           ("# before\nx = 1\n# after\nx = 1\n", "equal"), ("# none: a kernel\nx = 1\n", "nothing else")]:
            with self.subTest(said):
                self.assertIn(said, wrong_in(FOLDER / "planted.py", text))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--only"]:
        failed = {file: said for file in map(pathlib.Path, sys.argv[2:]) if (said := wrong_in(file.resolve()))}
        for file, said in failed.items():
            print(f"{file}: {said}")
        print(f"{len(sys.argv) - 2 - len(failed)} of {len(sys.argv) - 2} files run")
        sys.exit(1 if failed else 0)
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    PART, PARTS = 0, 1
    if sys.argv[1:2] == ["--part"]:
        PART, PARTS = map(int, sys.argv.pop(2).split("/"))
        PART -= 1
        sys.argv.pop(1)
    unittest.main()
