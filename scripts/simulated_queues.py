#!/usr/bin/env python3
"""Launch delays and lengths of queues: recorded in a profiler's trace, and simulated from the same calls.

Usage: simulated_queues.py TUNEPROOF GPU TRACE [TRACE...]      for example: build/tuneproof v100 trace.json.gz

Each kernel keeps the time that it took, and the host what it took between its calls; a launch costs the host what it
cost in the trace on average, since the profiler makes launches dearer. What is simulated is when each command began.
Delay: from a call's end to its command's begin. Queue: commands that were called and had not begun, at each call.
"""

import bisect
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from simulated_kernels import argument, events_of  # noqa: E402

LAUNCHES = ("cudaLaunchKernel", "cuLaunchKernel", "cudaMemsetAsync", "cudaMemcpyAsync")


def host_calls(events):
    """All calls of all host threads in their order: while a thread works on the backward pass, the other waits for it."""
    return sorted((event for event in events if event.get("cat") in ("cuda_runtime", "Runtime", "cuda_driver") and "dur" in event),
                  key=lambda event: float(event["ts"]))


def commands(events):
    """Correlation -> what the device did, in one stream after the other."""
    kinds = ("kernel", "Kernel", "gpu_memset", "Memset", "gpu_memcpy", "Memcpy")
    return {argument(event, "correlation"): event for event in events if event.get("cat") in kinds and "dur" in event}


def schedule(events):
    """(entries, recorded calls as (call's begin, call's end, command's begin)) without what waits for the device."""
    done, entries, recorded, last = commands(events), [], [], None
    for call in host_calls(events):
        begin, end = float(call["ts"]), float(call["ts"]) + float(call["dur"])
        command = done.get(argument(call, "correlation"))
        if "Synchronize" in call["name"]:
            entries.append({"do": "synchronize"})
        elif call["name"] in LAUNCHES and command is not None:
            if last is not None and begin > last:
                entries.append({"do": "compute", "name": "host", "us": begin - last})
            entries.append({"do": "kernel", "name": command["name"], "stream": 1 + int(argument(command, "stream") or 0),
                            "us": max(float(command["dur"]), 0.001)})
            recorded.append((begin, end, float(command["ts"])))
        else:
            continue
        last = end if last is None else max(last, end)
    return entries, recorded


def simulated(program, gpu, entries, launch):
    row = {"row": "trace", "forms": [{"form": name, "entries": part} for name, part in
                                     (("naive", entries), ("optimized", entries[:1]))]}
    recording = {"tuneproof": {"schema": "tuneproof.recording", "schema_version": {"major": 1, "minor": 0}}, "rows": [row]}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "recording.json").write_text(json.dumps(recording))
        subprocess.run([program, "simulate", "--from", folder / "recording.json", "--gpu", gpu, "--set", f"launch={launch}",
                        "--trace", folder / "line"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        events = json.loads((folder / "line-naive.json").read_text())["traceEvents"]
    calls = {event["args"]["correlation"]: event for event in events
             if event.get("cat") == "cuda_runtime"}
    out = []
    for event in events:
        if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"):
            call = calls[event["args"]["correlation"]]
            out.append((call["ts"], call["ts"] + call["dur"], event["ts"]))
    return out


def delays(calls):
    return [max(begin - end, 0) for _, end, begin in calls]


def queue(calls):
    begins = sorted(begin for _, _, begin in calls)
    return [index - bisect.bisect_right(begins, begin) for index, (begin, _, _) in enumerate(calls)]


def shown(values):
    ordered = sorted(values)
    return f"{statistics.median(ordered):.1f} | {ordered[len(ordered) * 9 // 10]:.1f}"


def main(program, gpu, *traces):
    print("| trace | calls | delay recorded, median us | 90 % | delay simulated, median us | 90 % | queue recorded, median | 90 % "
          "| queue simulated, median | 90 % |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for trace in map(pathlib.Path, traces):
        entries, recorded = schedule(events_of(trace))
        launch = statistics.mean(end - begin for begin, end, _ in recorded)
        made = simulated(program, gpu, entries, launch)
        assert len(made) == len(recorded), (len(made), len(recorded))
        print(f"| {trace.name.removesuffix('.json.gz')} | {len(recorded)} | {shown(delays(recorded))} | {shown(delays(made))} "
              f"| {shown(queue(recorded))} | {shown(queue(made))} |")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(str(pathlib.Path(sys.argv[1]).resolve()), *sys.argv[2:])
