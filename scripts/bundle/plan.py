"""What run-here.sh everything does, in order of worth; sizes.py says how long each part may take, and why."""

from __future__ import annotations

import dataclasses
import pathlib
import shutil
from typing import Optional

import measured
import parts
import sizes
from parts import RUN, Machine, Part, plain, prices, results

# STGym's rungs: the published changes in their order, the last ones before the best form, and that form. `ladder` has all.
RUNGS = ["device_indices", "single_tail", "no_to_dense", "no_anomaly", "no_item", "matmul_medium", "inplace", "fused_pooling",
         "fused_linear", "fused_classifier", "rows_in_place", "tensor_core_products", "bf16_rows", "cuda_graph",
         "best_form"]
QUICK_TIPS = [f"{folder}/*" for folder in ["transfer", "overlap", "sync", "dataload", "precision", "launch", "memory"]]
# Of the suite of claims. `cpu`, `compile` and `parallel` need no GPU, torch's compiler, or several GPUs.
CLAIMS = QUICK_TIPS + [f"{folder}/*" for folder in ["format", "optimizer", "autograd", "loop", "variability", "roofline",
                                                    "traps", "gnn"]]
TIPS = CLAIMS + ["cpu/*", "compile/*", "parallel/*"]
MODELS = ["resnet50", "gpt", "unet"]
# The GPT comes last: its rows were the longest to rehearse.
MODEL_ROWS = [f"{model}/{rung}" for model in ["resnet50", "unet", "gpt"]
              for rung in ["best_form", "best_form_bf16/by:operators/*", "bf16", "cuda_graph"]] + [
    "resnet50/channels_last", "unet/channels_last", "gpt/fused_attention"]
# What stands beside the peers: these rows and prices are measured on their card, whatever results/ has.
BESIDE_PEERS = ("stgym/inplace/", "stgym/best_form/", *(f"{model}/best_form" for model in MODELS),
                *(f"copy/{way}/bytes:512MiB" for way in ["h2d/host:pinned", "d2h/host:pinned", "both/host:pinned", "d2d"]))
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
SHORT_MODELS = ["unet/best_form"]
SHORT_SAGE = ["sage/best_form"]
SHORT_SCALE, SHORT_MODEL_SCALE = "0.002", "0.0156"  # of the nodes; of the pixels: 32 x 32
SHORT = {"suite": 12.0, "rungs": 14.0, "gpu-tests": 8.0, "trace-naive": 25.0, "trace-best": 25.0}
SHORT_OTHERS = 5.0


@dataclasses.dataclass(frozen=True)
class Wishes:
    """What the user asks of a visit. `short`: with little data, few rungs and cut early, to try the visit itself."""
    short: bool = False
    known: measured.Measured = dataclasses.field(default_factory=measured.Measured)
    kit: Optional[pathlib.Path] = None  # the peers' programs
    names: tuple[str, ...] = ()  # of the parts, in the order wanted; empty: all


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


def lacks(kit: Optional[pathlib.Path], *names: str) -> Optional[str]:
    if kit is None:
        return "no --peers DIR was given"
    missing = [name for name in names if not (kit / name).exists()]
    return f"{kit} has no {missing[0]}" if missing else None


def peer_parts(kit: Optional[pathlib.Path], device: str, scale: str, size: sizes.Sizes) -> dict[str, Part]:
    """Their own code on the same card as our rows, with the same shapes; by name."""
    def part(what: str, about: str, names: list[str], *options: str) -> Part:
        name = f"peers-{what}"
        seconds = size(name)
        return Part(name, about, seconds.least, seconds.most, parts.peers(what, kit, "--device", device, *options),
                    lambda machine: lacks(kit, *names), resumes=True)

    every = [part("copies", "nvbandwidth's copies", ["nvbandwidth"]),
             part("stgym", "STGym's own Python, at its first and its last commit", ["stgym-first", "stgym-last"], "--scale", scale),
             part("models", "ResNet-50, nanoGPT and U-Net in Python", ["nanoGPT", "Pytorch-UNet"])]
    return {made.name: made for made in every}


def parts_on_a_gpu(machine: Machine, wishes: Wishes) -> list[Part]:
    short, known = wishes.short, wishes.known
    size = sizes.of(machine.multiprocessors)
    scale, model_scale = (["--scale", SHORT_SCALE], ["--scale", SHORT_MODEL_SCALE]) if short else ([], [])
    sanitized = [KERNELS, POOLING]
    peers = peer_parts(wishes.kit, "cuda", SHORT_SCALE if short else "1", size)

    def run(name: str, about: str, what: list[str], *how: str) -> Part:
        return Part(name, about, size(name).least, size(name).most, results(what, list(how), known), resumes=True,
                    again=parts.nothing_new(what, list(how), known))

    def tested(name: str, about: str, *arguments, skip=Machine.without_gpu) -> Part:
        return Part(name, about, size(name).least, size(name).most, parts.tests(*arguments), skip, resumes=True)

    def profiled(name: str, about: str, *arguments: str) -> Part:
        return Part(name, about, size("traces").least, size("traces").most, traces(*arguments, *(["--", *scale] if scale else [])))

    def priced(name: str, about: str, rows: str) -> Part:
        return Part(name, about, size(name).least, size(name).most, prices(rows, known), parts.no_prices, resumes=True)

    rungs = [f"stgym/{rung}" for rung in RUNGS if not short or rung in SHORT_RUNGS]
    models = SHORT_MODELS if short else MODEL_ROWS
    compiled = ["unet"] if short else MODELS
    return [
        peers["peers-copies"],
        priced("prices-copies", "what copies cost", f"^prices/({COPIES})"),
        priced("prices-products", "what products and passes over memory cost", f"^prices/({PRODUCTS})"),
        run("suite", "the quick suite without STGym", [*(SHORT_TIPS if short else QUICK_TIPS), "--suite", "quick"]),
        run("rungs", "STGym's training step, change by change", [*rungs, "--point", "unit=step"], "--device", "cuda", *scale),
        run("end-to-end", "STGym's whole training, both ends", ["stgym/end_to_end"], "--device", "cuda", *scale),
        peers["peers-stgym"],
        run("claims", "a row of each claim that the quick suite leaves out",
            [*(SHORT_TIPS if short else CLAIMS), "--suite", "claims"], "--device", "cuda"),
        Part("selftest", "how often verdicts are wrong here", size("selftest").least, size("selftest").most,
             parts.selftest(known), fine=(0, 4)),
        run("models", "a training step of the three models", [*models, "--point", "unit=step"], "--device", "cuda", *model_scale),
        peers["peers-models"],
        run("models-compiled", "the same in BF16, compiled",
            [*(f"{model}/best_form_bf16" for model in compiled), "--point", "unit=step", "--point", "by=compiler"],
            "--device", "cuda", *model_scale),
        run("sage", "GraphSAGE on sampled neighbors", SHORT_SAGE if short else ["sage/*"], "--device", "cuda", *model_scale),
        priced("prices-launches", "what launches and waits cost", f"^prices/({LAUNCHES})"),
        profiled("trace-naive", "STGym's first published step under the profiler", NAIVE, "naive"),
        profiled("trace-best", "STGym's best step under the profiler", BEST, "optimized"),
        priced("prices-others", "what allocations and the like cost", OTHERS),
        run("ladder", "STGym, every rung and point", ["stgym/*"], "--device", "cuda", *scale),
        run("full-suite", "every row but STGym's", [*TIPS, "--suite", "full"]),
        tested("gpu-tests", "the tests that need a GPU", [(name, "[gpu]") for name in parts.programs_of_tests()]),
        tested("memcheck", "our kernels' tests under memcheck", sanitized, memcheck(), skip=parts.no_sanitizer),
        tested("racecheck", "our kernels' tests under racecheck", sanitized, racecheck(), skip=parts.no_sanitizer),
    ]


def parts_on_a_cpu(wishes: Wishes) -> list[Part]:
    """The quick suite has the published rungs already, and an epoch takes a CPU twice as long as a step."""
    known = wishes.known
    peers = peer_parts(wishes.kit, "cpu", "0.00390625", sizes.of(0))  # the rows' own scale there: 1/256
    without_gpu = [Part(name, about, 5, 5, plain("true"), Machine.without_gpu) for name, about in
                   [("gpu-tests", "the tests that need a GPU"), ("memcheck", "our kernels' tests under memcheck"),
                    ("racecheck", "our kernels' tests under racecheck")]]
    return [
        Part("suite", "the quick suite", 20, 300, results(["--suite", "quick"], [], known), resumes=True),
        Part("prices", "what copies and the like cost", 20, 240, prices(".", known), parts.no_prices, resumes=True),
        Part("traces", "STGym's loop under the profiler, both forms", 15, 180, traces("stgym/end_to_end", "both")),
        Part("ladder", "a training step of STGym, every rung (scaled down: no GPU)", 20, 240,
             results(["stgym/*/unit:step/device:cpu"], [], known), resumes=True),
        peers["peers-stgym"],
        peers["peers-models"],
        Part("selftest", "how often verdicts are wrong here", 150, 300, parts.selftest(known), fine=(0, 4)),
        *without_gpu,
    ]


def shortened(part: Part) -> Part:
    seconds = SHORT.get(part.name, SHORT_OTHERS)
    return dataclasses.replace(part, least=min(part.least, seconds), most=min(part.most, seconds))


def all_parts(machine: Machine, wishes: Wishes = Wishes()) -> list[Part]:
    """In order of worth, or in that of the names that were given; raises SystemExit where one is unknown."""
    own = parts_on_a_cpu(wishes) if machine.without_gpu() else parts_on_a_gpu(machine, wishes)
    every = {part.name: shortened(part) if wishes.short else part for part in first_parts() + own}
    unknown = [name for name in wishes.names if name not in every]
    if unknown:
        raise SystemExit(f"tuneproof: there is no part {unknown[0]!r} here (have: {', '.join(every)}).")
    return [every[name] for name in wishes.names or every]
