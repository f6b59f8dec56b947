# same: total
# note: Where samples are slow to get, or batches are large, the same workers pay (dataload/workers_slow_source).
import torch
from torch.utils.data import DataLoader, TensorDataset

# before
dataset = TensorDataset(torch.ones(1024, 16))  # lies in memory
loader = DataLoader(dataset, batch_size=64, num_workers=2)  # passes batches for nothing
total = sum(batch.sum() for (batch,) in loader)

# after
dataset = TensorDataset(torch.ones(1024, 16))  # lies in memory
loader = DataLoader(dataset, batch_size=64)
total = sum(batch.sum() for (batch,) in loader)
