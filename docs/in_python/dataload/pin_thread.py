# same: total
# note: The thread is there only with num_workers > 0: without workers, the loader pins in the training loop.
import torch
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"
dataset = TensorDataset(torch.rand(256, 16))

# before
total = 0
for (batch,) in DataLoader(dataset, batch_size=64, num_workers=2):
    total += batch.to(device).sum()

# after
total = 0
for (batch,) in DataLoader(dataset, batch_size=64, num_workers=2, pin_memory=True):
    total += batch.to(device, non_blocking=True).sum()
