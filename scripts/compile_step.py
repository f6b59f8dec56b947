"""Compiles a function of tensors by torch's own compiler (AOTInductor) into a package for this machine.

Usage: compile_step.py PACKAGE < JOB

The function may be a whole training step: it takes gradients by torch.autograd.grad and changes its parameters in
place. JOB is a JSON object:

  source   Python text that defines step(*tensors) and returns a tuple of tensors
  inputs   for each tensor {"type": "float32", "shape": [64, 8], "varies": [0], "channels_last": false};
           varies: dimensions of any size; channels_last: of four dimensions, the second lies innermost
  device   cpu or cuda
  mode     default or max-autotune
  threads  that the package will run on
  torch    the version that will load it

Prints one line, {"seconds": 12.3}, and leaves PACKAGE and, beside it, PACKAGE.txt: the source that the compiler
wrote, in C++ or for Triton. Where it cannot compile here it prints {"reason": "..."} and leaves nothing.
"""

import contextlib
import json
import os
import pathlib
import shutil
import sys
import time
import zipfile


class Unable(Exception):
    """Why nothing can be compiled here; one sentence without its full stop."""


def checked_torch(job):
    try:
        import torch
    except ImportError:
        raise Unable(f"{sys.executable} has no torch") from None
    version = torch.__version__.split("+")[0]
    if version != job["torch"]:
        raise Unable(f"the torch of {sys.executable} is {version}, this program needs {job['torch']}")
    if job["device"] == "cuda":
        if not torch.cuda.is_available():
            raise Unable(f"the torch of {sys.executable} sees no CUDA device")
        if torch.cuda.get_device_name().startswith("stand-in"):
            raise Unable("the stand-in device does not run what Triton compiles")
        with contextlib.suppress(ImportError):
            import triton  # noqa: F401

            return torch
        raise Unable(f"{sys.executable} has no Triton, which compiles for the GPU")
    return torch


def check_compiler():
    compiler = os.environ.get("CXX", "g++")
    if not shutil.which(compiler):
        raise Unable(f"torch.compile needs a C++ compiler, and there is no {compiler}")


def examples(torch, job):
    def example(each):
        zeros = torch.zeros(each["shape"], dtype=getattr(torch, each["type"]), device=job["device"])
        return zeros.to(memory_format=torch.channels_last) if each.get("channels_last") else zeros

    return [example(each) for each in job["inputs"]]


def exported(torch, job):
    """The function as a graph of operators, its backward pass included."""
    from torch.fx.experimental.proxy_tensor import make_fx

    scope = {"torch": torch}
    exec(compile(job["source"], "<step>", "exec"), scope)
    given = examples(torch, job)
    varies = [{dimension: torch.export.Dim.DYNAMIC for dimension in each.get("varies", [])} or None
              for each in job["inputs"]]
    mode = "symbolic" if any(varies) else "fake"
    run = make_fx(scope["step"], tracing_mode=mode, _allow_non_fake_inputs=True)(*given)

    class Step(torch.nn.Module):
        def forward(self, tensors):
            return run(*tensors)

    return torch.export.export(Step(), (given,), dynamic_shapes=(varies,) if any(varies) else None, strict=False)


def settings(job):
    # Freezing makes weights that the function holds constants, which the generated products need.
    return {"max_autotune": True, "freezing": True} if job["mode"] == "max-autotune" else {}


def written_source(package):
    """What the compiler wrote, kernels first."""
    with zipfile.ZipFile(package) as archive:
        names = [name for name in archive.namelist() if name.endswith((".cpp", ".py"))]
        names.sort(key=lambda name: (".kernel." not in name, name))
        return "\n".join(archive.read(name).decode() for name in names)


def compile_to(package, job):
    began = time.perf_counter()
    torch = checked_torch(job)
    check_compiler()
    torch.set_num_threads(job["threads"])  # becomes a constant of the code
    # Where the compiler keeps its own unfinished files: what Ctrl-C cuts off is not a package.
    unfinished = package.parent / "inductor" / f"{package.stem}.{os.getpid()}.pt2"
    unfinished.parent.mkdir(exist_ok=True)
    torch._inductor.aoti_compile_and_package(exported(torch, job), package_path=str(unfinished),
                                             inductor_configs=settings(job))
    text = unfinished.with_suffix(".txt")
    text.write_text(written_source(unfinished))
    text.rename(f"{package}.txt")
    unfinished.rename(package)
    return time.perf_counter() - began


def main():
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is not an answer
    try:
        result = {"seconds": compile_to(pathlib.Path(sys.argv[1]), json.load(sys.stdin))}
    except Unable as reason:
        result = {"reason": str(reason)}
    except Exception as error:
        first_line = (str(error).strip().splitlines() or [""])[0]
        result = {"reason": f"torch.compile failed: {type(error).__name__}: {first_line[:200]}"}
    print(json.dumps(result), file=answer, flush=True)


if __name__ == "__main__":
    main()
