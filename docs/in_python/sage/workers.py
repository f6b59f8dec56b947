# same: total
# note: In PyTorch Geometric NeighborLoader(..., num_workers=2, persistent_workers=True), in DGL DataLoader(..., num_workers=2); it hurts where a sample takes less time than its way between processes.
import torch
from torch.utils.data import DataLoader

torch.manual_seed(2)
neighbors, total = torch.randint(100, (100, 20)), torch.zeros((), dtype=torch.int64)


def sample(seeds):
    return torch.stack([neighbors[v, torch.arange(5)] for v in seeds])  # stands for a sampler


def train_step(nodes):
    total.add_(nodes.sum())


# before
for nodes in DataLoader(range(96), batch_size=8, collate_fn=sample):  # between two steps
    train_step(nodes)

# after
for nodes in DataLoader(range(96), batch_size=8, collate_fn=sample, num_workers=2):
    train_step(nodes)
