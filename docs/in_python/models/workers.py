# same: total
# note: It hurts where samples are quick to make, or where the network itself needs all cores.
import torch
from torch.utils.data import DataLoader, TensorDataset

dataset, total = TensorDataset(torch.arange(64.0), torch.ones(64)), torch.zeros(())


def train_step(inputs, targets):
    total.add_((inputs * targets).sum())


# before
loader = DataLoader(dataset, batch_size=8)  # makes each batch between two steps
for inputs, targets in loader:
    train_step(inputs, targets)

# after
loader = DataLoader(dataset, batch_size=8, num_workers=2, persistent_workers=True)
for inputs, targets in loader:
    train_step(inputs, targets)
