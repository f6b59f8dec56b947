#!/usr/bin/env python3
"""Recorded kernels and copies of a profiler's trace beside what `tuneproof simulate` makes of the same work, by kind.

Usage: simulated_kernels.py TUNEPROOF GPU TRACE [TRACE...]     for example: build/tuneproof v100 trace.json.gz

The trace needs the shapes of its operators. An operator's kernels are added up. A convolution's output is taken from
the batch normalization that follows it, since a trace holds no strides. Every second operator, from the second on, judges
the model; the others could be looked at when a constant was chosen.
"""

import collections
import gzip
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

SIZES = {"float": 4, "c10::Half": 2, "c10::BFloat16": 2, "double": 8, "long int": 8, "int": 4, "bool": 1, "unsigned char": 1}
POINTWISE = {"aten::add", "aten::add_", "aten::mul", "aten::mul_", "aten::div", "aten::div_", "aten::relu", "aten::relu_",
             "aten::threshold_backward", "aten::copy_", "aten::clamp_min", "aten::clamp_min_", "aten::sub", "aten::fill_",
             "aten::sigmoid", "aten::addcmul_", "aten::addcdiv_", "aten::sqrt"}
REDUCTIONS = {"aten::sum", "aten::mean", "aten::_softmax", "aten::_log_softmax", "aten::native_layer_norm", "aten::max", "aten::norm"}
SAME_SHAPE = {"aten::_softmax", "aten::_log_softmax", "aten::native_layer_norm"}


def events_of(path):
    text = gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
    content = json.loads(text)
    if isinstance(content, dict) and content.get("simulated"):
        sys.exit(f"{path}: a simulated trace; a recorded one is needed to judge the model")
    return content["traceEvents"] if isinstance(content, dict) else content


def event_begin(event):
    return float(event["ts"])


def argument(event, *names):
    """The first of the names that is there: traces of 2021 write some of them otherwise."""
    arguments = event.get("args", {})
    return next((arguments[name] for name in names if name in arguments), None)


def tensors(operator):
    """(elements, bytes of one, dimensions) of each tensor argument."""
    kinds = argument(operator, "Input type") or []
    for dims, kind in zip(argument(operator, "Input Dims", "Input dims") or [], kinds):
        if dims and isinstance(dims[0], int) and kind in SIZES:
            yield math.prod(dims), SIZES[kind], dims


def work_of(operator, following):
    """(kind, entry of a recording) of an operator, or None where its work cannot be counted from the trace."""
    name, found = operator["name"], list(tensors(operator))
    if not found:
        return None
    unit = "fp16" if found[0][1] == 2 else "fp32"
    if name in POINTWISE:
        out = max(found)
        inputs = found[1:] if name in ("aten::copy_", "aten::fill_") else found
        return "pointwise", {"bytes": sum(n * size for n, size, _ in inputs) + out[0] * out[1]}
    if name == "aten::cudnn_batch_norm":  # its statistics, then the input again, and as much written
        n, size, _ = found[0]
        return "normalizations", {"bytes": 3 * n * size}
    if name in REDUCTIONS:
        written = found[0][0] * found[0][1] if name in SAME_SHAPE else 0
        return "reductions", {"bytes": sum(n * size for n, size, _ in found) + written, "reduction": True}
    if name in ("aten::mm", "aten::bmm", "aten::addmm") and len(found) >= 2:
        left, right = found[-2:]
        out = left[0] // left[2][-1] * right[2][-1]
        return "products", {"flop": 2.0 * left[0] * right[2][-1], "unit": unit, "bytes": (left[0] + right[0] + out) * left[1]}
    if name == "aten::cudnn_convolution" and following is not None:
        (n, size, _), weight = found[0], found[1]
        out = next(tensors(following))[0]
        return "convolutions", {"flop": 2.0 * out * math.prod(weight[2][1:]), "unit": unit, "bytes": (n + weight[0] + out) * size}
    return None


def launching_operators(events):
    """Correlation -> place in the list of the innermost operator around the call."""
    around = {}
    tracks = collections.defaultdict(list)
    for place, event in enumerate(events):
        if event.get("cat") in ("cpu_op", "Operator", "cuda_runtime", "Runtime") and "dur" in event:
            tracks[event.get("pid"), event.get("tid")].append((float(event["ts"]), -float(event["dur"]), place))
    for track in tracks.values():
        open_operators = []
        for begin, minus_length, place in sorted(track):
            while open_operators and open_operators[-1][0] <= begin:
                open_operators.pop()
            if "untime" not in events[place]["cat"]:
                open_operators.append((begin - minus_length, place))
            elif open_operators and (correlation := argument(events[place], "correlation")):
                around[correlation] = open_operators[-1][1]
    return around


def counted(events):
    """(kind, entry, recorded microseconds) of each operator with kernels, and of each copy."""
    spent, around = collections.Counter(), launching_operators(events)
    for event in events:
        if event.get("cat") in ("kernel", "Kernel"):
            spent[around.get(argument(event, "correlation"))] += event["dur"]
        elif "emcpy" in str(event.get("cat")) and argument(event, "bytes"):
            way = {"HtoD": "h2d", "DtoH": "d2h", "DtoD": "d2d"}.get(event["name"].split()[1])
            if way:
                yield (f"copies {way}", {"do": "copy", "way": way, "bytes": argument(event, "bytes"),
                                         "pageable": "Pageable" in event["name"]}, event["dur"])
    operators = sorted((place for place, event in enumerate(events) if event.get("cat") in ("cpu_op", "Operator") and "dur" in event),
                       key=lambda place: event_begin(events[place]))
    for index, place in enumerate(operators):
        operator, recorded = events[place], spent.get(place)
        if not recorded:
            continue
        following = next((events[later] for later in operators[index + 1:index + 12]
                          if events[later]["name"] == "aten::cudnn_batch_norm"), None)
        if work := work_of(operator, following):
            yield work[0], {"do": "kernel", "name": operator["name"], **work[1]}, recorded


def simulated(program, gpu, entries):
    """Microseconds of each entry: alone on the device, in their order."""
    form = [step for entry in entries for step in (entry, {"do": "synchronize"})]
    recording = {"tuneproof": {"schema": "tuneproof.recording", "schema_version": {"major": 1, "minor": 0}},
                 "rows": [{"row": "trace", "forms": [{"form": "naive", "entries": form}, {"form": "optimized", "entries": form[:1]}]}]}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "recording.json").write_text(json.dumps(recording))
        subprocess.run([program, "simulate", "--from", folder / "recording.json", "--gpu", gpu, "--trace", folder / "line"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        events = json.loads((folder / "line-naive.json").read_text())["traceEvents"]
    return [event["dur"] for event in events if event.get("cat") in ("kernel", "gpu_memcpy")]


def main(program, gpu, *traces):
    print("| trace | kind | operators | recorded, all | simulated, all | median factor |\n|---|---|---:|---:|---:|---:|")
    for trace in map(pathlib.Path, traces):
        found = list(counted(events_of(trace)))[1::2]
        factors, sums = collections.defaultdict(list), collections.defaultdict(lambda: [0, 0])
        for (kind, _, recorded), time in zip(found, simulated(program, gpu, [entry for _, entry, _ in found]), strict=True):
            factors[kind].append(time / recorded)
            sums[kind][0] += recorded
            sums[kind][1] += time
        for kind in sorted(factors):
            print(f"| {trace.name.removesuffix('.json.gz')} | {kind} | {len(factors[kind])} | {sums[kind][0] / 1000:.2f} ms "
                  f"| {sums[kind][1] / 1000:.2f} ms | {statistics.median(factors[kind]):.2f} |")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(str(pathlib.Path(sys.argv[1]).resolve()), *sys.argv[2:])
