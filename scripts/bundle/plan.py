"""What run-here.sh everything does, in order of worth; sizes.py says how long each part may take, and why."""

from __future__ import annotations

import dataclasses
import pathlib
import shutil

import parts
import sizes
from parts import RUN, Machine, Part, plain, prices, results

# The published changes of a training step in their order with the best form, and the last ones before that. `ladder` has
# every rung.
PUBLISHED = ["device_indices", "single_tail", "no_to_dense", "no_anomaly", "no_item", "matmul_medium", "inplace", "best_form"]
LATER = ["fused_pooling", "fused_linear", "fused_classifier", "rows_in_place", "cuda_graph"]
QUICK_TIPS = [f"{folder}/*" for folder in ["transfer", "overlap", "sync", "dataload", "precision", "launch", "memory"]]
# Without a point in the quick suite, where `run` refuses them.
TIPS = QUICK_TIPS + [f"{folder}/*" for folder in ["format", "optimizer", "autograd", "cpu", "loop", "variability", "roofline",
                                                  "traps", "compile", "parallel"]]
COPIES, LAUNCHES, PRODUCTS = "copy|memcpy|handover|link", "launch|graph|stream|event|dispatch|thread", "product|triad"
OTHERS = f"-^prices/({COPIES}|{LAUNCHES}|{PRODUCTS})"  # all that the three leave out
TRACED = "wait=1,warmup=1,active=1"  # enough for an op table, and a trace of some megabytes
NAIVE = "stgym/device_indices/against:naive/unit:step/device:cuda"
BEST = "stgym/rows_in_place/unit:step/device:cuda"
POOLING = ("stgym_tests", '"gpu: the pooling kernel*",[kernels]')
KERNELS = ("tests_gpu", '"*"')
# Where the visit itself is tried: some tips, a naive rung, one of our kernels, a captured one; little data; seconds of a part.
SHORT_TIPS = ["transfer/*", "sync/*"]
SHORT_RUNGS = ["device_indices", "fused_pooling", "cuda_graph"]
SHORT_SCALE = "0.002"
SHORT = {"gpu-tests": 8.0, "suite": 12.0, "rungs-published": 14.0, "trace-naive": 25.0, "trace-best": 25.0}
SHORT_OTHERS = 5.0


def traces(row: str, form: str, *options: str) -> parts.Command:
    return plain(RUN, "profile", row, "--form", form, "--schedule", TRACED, "--out", ".", *options)


def memcheck() -> list[str]:
    """Our tests provoke calls that fail, which memcheck would report as errors."""
    return [parts.sanitizer() or "compute-sanitizer", "--tool", "memcheck", "--report-api-errors", "no",
            "--error-exitcode", "9"]


def racecheck() -> list[str]:
    return [parts.sanitizer() or "compute-sanitizer", "--tool", "racecheck", "--error-exitcode", "9"]


def first_parts() -> list[Part]:
    return [
        Part("doctor", "whether it is fit for measuring", 5, 60, plain(RUN, "doctor", "--json")),
        Part("nvidia-smi", "the driver's own words", 5, 60, plain("nvidia-smi", "-q"),
             lambda m: None if shutil.which("nvidia-smi") else "there is no nvidia-smi"),
    ]


def price_part(name: str, about: str, rows: str, seconds: sizes.Size) -> Part:
    return Part(name, about, seconds.least, seconds.most, prices(rows, "0.05"), parts.no_prices)


def parts_on_a_gpu(machine: Machine, short: bool) -> list[Part]:
    tips, scale = (SHORT_TIPS, SHORT_SCALE) if short else (QUICK_TIPS, "1")
    size = sizes.of(machine.multiprocessors)
    on_gpu = ["--device", "cuda", "--scale", scale]
    sanitized = [KERNELS, POOLING]

    def run(name: str, about: str, *arguments: str) -> Part:
        seconds = size("rungs" if name.startswith("rungs") else name)
        return Part(name, about, seconds.least, seconds.most, results(*arguments), resumes=True)

    def steps_of(rungs: list[str]) -> list[str]:
        kept = [f"stgym/{rung}" for rung in rungs if not short or rung in SHORT_RUNGS]
        return [*kept, "--point", "unit=step", *on_gpu]

    def tested(name: str, about: str, *arguments, skip=Machine.without_gpu) -> Part:
        return Part(name, about, size(name).least, size(name).most, parts.tests(*arguments), skip, resumes=True)

    def profiled(name: str, about: str, *arguments: str) -> Part:
        return Part(name, about, size("traces").least, size("traces").most, traces(*arguments, "--", "--scale", scale))

    return [
        tested("gpu-tests", "the tests that need a GPU", [(name, "[gpu]") for name in parts.programs_of_tests()]),
        run("suite", "the quick suite without STGym", *tips, "--suite", "quick"),
        run("rungs-published", "STGym's training step, each published change and the best form", *steps_of(PUBLISHED)),
        run("rungs-later", "the last changes before the best form", *steps_of(LATER)),
        price_part("prices-copies", "what copies cost", f"^prices/({COPIES})", size("prices-copies")),
        price_part("prices-launches", "what launches and waits cost", f"^prices/({LAUNCHES})", size("prices-launches")),
        price_part("prices-products", "what products and passes over memory cost", f"^prices/({PRODUCTS})", size("prices-products")),
        profiled("trace-naive", "STGym's first published step under the profiler", NAIVE, "naive"),
        profiled("trace-best", "STGym's best step under the profiler", BEST, "optimized"),
        run("ladder", "STGym, every rung and point", "stgym/*", *on_gpu),
        price_part("prices-others", "what allocations and the like cost", OTHERS, size("prices-others")),
        Part("selftest", "how often verdicts are wrong here", size("selftest").least, size("selftest").most,
             parts.selftest, fine=(0, 4)),
        run("full-suite", "every row but STGym's", *TIPS, "--suite", "full"),
        tested("memcheck", "our kernels' tests under memcheck", sanitized, memcheck(), skip=parts.no_sanitizer),
        tested("racecheck", "our kernels' tests under racecheck", sanitized, racecheck(), skip=parts.no_sanitizer),
    ]


def parts_on_a_cpu(machine: Machine) -> list[Part]:
    """The quick suite has the published rungs already, and an epoch takes a CPU twice as long as a step."""
    without_gpu = [Part(name, about, 5, 5, plain("true"), Machine.without_gpu) for name, about in
                   [("gpu-tests", "the tests that need a GPU"), ("memcheck", "our kernels' tests under memcheck"),
                    ("racecheck", "our kernels' tests under racecheck")]]
    return [
        Part("suite", "the quick suite", 20, 300, results("--suite", "quick"), resumes=True),
        Part("prices", "what copies and the like cost", 20, 240, prices(".", "0.05"), parts.no_prices),
        Part("traces", "STGym's loop under the profiler, both forms", 15, 180, traces("stgym/end_to_end", "both")),
        Part("ladder", "a training step of STGym, every rung (scaled down: no GPU)", 20, 240,
             results("stgym/*/unit:step/device:cpu"), resumes=True),
        Part("selftest", "how often verdicts are wrong here", 150, 300, parts.selftest, fine=(0, 4)),
        *without_gpu,
    ]


def shortened(part: Part) -> Part:
    seconds = SHORT.get(part.name, SHORT_OTHERS)
    return dataclasses.replace(part, least=min(part.least, seconds), most=min(part.most, seconds))


def all_parts(machine: Machine, short: bool = False) -> list[Part]:
    """`short`: with little data, few rungs and cut early, to try the visit itself."""
    own = parts_on_a_cpu(machine) if machine.without_gpu() else parts_on_a_gpu(machine, short)
    every = first_parts() + own
    return [shortened(part) for part in every] if short else every
