# same: product
# note: A container's quota does not show in that number: give the count yourself there. DataLoader's workers have one thread each already.
import os

import torch

a, b = torch.randn(64, 64, dtype=torch.float64), torch.randn(64, 64, dtype=torch.float64)

# before
torch.set_num_threads(1)
product = a @ b

# after
torch.set_num_threads(len(os.sched_getaffinity(0)))  # as many as this process may use CPUs
product = a @ b
