# same: total
# note: Start forked workers before the process uses CUDA or threads of its own; else leave it at forkserver with persistent_workers=True. What forkserver's workers get must be picklable, so a data set with a lambda stops working in Python 3.14.
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.arange(64.0))

# before
loader = DataLoader(data, batch_size=8, num_workers=2)  # since Python 3.14: forkserver
total = sum(batch.sum() for batch, in loader)

# after
loader = DataLoader(data, batch_size=8, num_workers=2, multiprocessing_context="fork")
total = sum(batch.sum() for batch, in loader)
