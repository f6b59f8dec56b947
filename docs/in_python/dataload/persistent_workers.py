# same: total
# note: It pays where epochs are short, and most where workers are not forked: on Linux since Python 3.14, on macOS and Windows.
import torch
from torch.utils.data import DataLoader, TensorDataset

dataset = TensorDataset(torch.ones(256, 16))

# before
loader = DataLoader(dataset, batch_size=64, num_workers=2)
total = 0
for epoch in range(3):  # starts two workers in each epoch
    for (batch,) in loader:
        total += batch.sum()

# after
loader = DataLoader(dataset, batch_size=64, num_workers=2, persistent_workers=True)
total = 0
for epoch in range(3):  # starts two workers once
    for (batch,) in loader:
        total += batch.sum()
