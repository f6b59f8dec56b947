# needs: cuda
# note: torch.utils.benchmark.Timer waits for the GPU by itself.
import time

import torch

weights = torch.rand(2048, 2048, device="cuda")

# before
start = time.perf_counter()
product = weights @ weights
seconds = time.perf_counter() - start  # times the queueing

# after
torch.cuda.synchronize()  # ends what was queued earlier
start = time.perf_counter()
product = weights @ weights
torch.cuda.synchronize()
seconds = time.perf_counter() - start
