# same: x
# note: Where the program itself allocates in each step, the allocation belongs to the work; on a GPU, synchronize before each reading of the clock.
import time

import torch

# before
start = time.perf_counter()
x = torch.full((2**22,), 7.0)  # finds and clears fresh pages as well
seconds = time.perf_counter() - start

# after
x = torch.zeros(2**22)
x.fill_(7)  # touches the memory first
start = time.perf_counter()
x.fill_(7)
seconds = time.perf_counter() - start
