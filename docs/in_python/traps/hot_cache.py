# note: State the size beside each rate: the small one is right where the program works on little data again and again.
import time

import torch

# before
source, target = torch.ones(2**18), torch.zeros(2**18)  # 1 MiB stays in a cache
start = time.perf_counter()
for _ in range(128):
    target.copy_(source)
bytes_per_second = 128 * source.nbytes / (time.perf_counter() - start)

# after
source, target = torch.ones(2**25), torch.zeros(2**25)  # 128 MiB: more than caches hold
start = time.perf_counter()
target.copy_(source)
bytes_per_second = source.nbytes / (time.perf_counter() - start)
