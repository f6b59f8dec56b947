# same: total
# note: The order then differs from run to run, so a run cannot be repeated exactly; in_order came with PyTorch 2.6.
import torch
from torch.utils.data import DataLoader, TensorDataset

dataset = TensorDataset(torch.ones(256, 16))

# before
loader = DataLoader(dataset, batch_size=16, num_workers=2)
total = sum(batch.sum() for (batch,) in loader)

# after
loader = DataLoader(dataset, batch_size=16, num_workers=2, in_order=False)
total = sum(batch.sum() for (batch,) in loader)
