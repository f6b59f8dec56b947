# same: total
# note: That is where the data lie in memory and a batch is quick to make; where samples are slow to get, workers pay (dataload/workers_slow_source).
import warnings

import torch
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore", "This DataLoader will create")
dataset, total = TensorDataset(torch.arange(64.0)), torch.zeros(())


def train_step(inputs):
    total.add_(inputs.sum())


# before
loader = DataLoader(dataset, 16, shuffle=True, num_workers=5, persistent_workers=True)
for (inputs,) in loader:
    train_step(inputs)

# after
loader = DataLoader(dataset, 16, shuffle=True)
for (inputs,) in loader:
    train_step(inputs)
