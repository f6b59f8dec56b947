# note: The profile says where time goes, the clock says how much.
import time

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(1024, device=device)


def run_steps():
    y = x.clone()
    for _ in range(50):
        y.add_(x)
    return y.sum().item()


# before
with torch.profiler.profile() as profile:
    start = time.perf_counter()
    run_steps()
    seconds = time.perf_counter() - start  # each operator pays for being recorded

# after
start = time.perf_counter()
run_steps()
seconds = time.perf_counter() - start
with torch.profiler.profile() as profile:
    run_steps()
