# same: batch
# note: The setting holds for all that the process computes on the CPU; with CPUs to spare all threads may be quicker, and DataLoader's workers have one anyway.
import torch

samples = [torch.full((4096, 64), float(i)) for i in range(8)]

# before
batch = torch.cat(samples)  # as many threads as the machine has cores, whatever the quota

# after
torch.set_num_threads(1)  # once, at the start, where a quota allows fewer CPUs
batch = torch.cat(samples)
