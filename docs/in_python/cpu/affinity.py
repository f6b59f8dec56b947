# same: total
# note: Processes that Python forks, as a DataLoader's workers, inherit the first thread's single CPU; in such a script call os.sched_setaffinity in worker_init_fn.
import os

# before
import torch
total = torch.ones(1 << 20).sum()

# after
os.environ["OMP_PROC_BIND"] = "close"  # ties each OpenMP thread to a place
os.environ["OMP_PLACES"] = "cores"
import torch  # reads both once, so it comes after them
total = torch.ones(1 << 20).sum()
