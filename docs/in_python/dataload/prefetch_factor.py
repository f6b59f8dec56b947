# same: total
# note: The default is 2; more bridges batches that take unequally long, costs their memory, and helps nothing where workers are too slow on average.
import torch
from torch.utils.data import DataLoader, TensorDataset

dataset = TensorDataset(torch.ones(1024, 16))

# before
loader = DataLoader(dataset, batch_size=16, num_workers=2, prefetch_factor=1)
total = sum(batch.sum() for (batch,) in loader)

# after
loader = DataLoader(dataset, batch_size=16, num_workers=2, prefetch_factor=4)
total = sum(batch.sum() for (batch,) in loader)
