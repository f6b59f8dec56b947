"""Times training steps as both peers' scripts do, and says on which card."""

import json
import statistics
import time

import torch

REPEATS = 3


def waiter(device):
    return torch.cuda.synchronize if device.type == "cuda" else lambda: None


def place(device):
    """What a line says of the machine."""
    said = {"device": str(device), "torch": torch.__version__, "threads": torch.get_num_threads(), "card": None, "uuid": None}
    if device.type == "cuda":
        properties = torch.cuda.get_device_properties(device)
        said["card"], uuid = properties.name, getattr(properties, "uuid", None)
        said["uuid"] = f"GPU-{str(uuid).removeprefix('GPU-')}" if uuid else None  # as the driver's tools write it
    return said


def times(step, steps, device):
    """Milliseconds of a step: queued, with one wait behind `steps` of them, as our pipelined slots do; and waited for each."""
    wait = waiter(device)
    wait()
    queued = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        for number in range(steps):
            step(number)
        wait()
        queued.append(1e3 * (time.perf_counter() - begin) / steps)
    waited = []
    for number in range(steps):
        begin = time.perf_counter()
        step(number)
        wait()
        waited.append(1e3 * (time.perf_counter() - begin))
    return {"queued_ms": [round(value, 4) for value in queued], "waited_ms": round(statistics.median(waited), 4),
            "shortest_ms": round(min(waited), 4)}


def say(**facts):
    print(json.dumps(facts), flush=True)
