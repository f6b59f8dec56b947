# same: total
# note: PyTorch Geometric's NeighborLoader(..., num_workers=2) does so by itself where the features lie in the host's memory, and filter_per_worker=False takes it back; DGL's prefetch_node_feats of a sampler has the loader fetch the features ahead of the step.
import torch
from torch.utils.data import DataLoader

torch.manual_seed(2)
features, total = torch.randn(100, 10, dtype=torch.float64), torch.zeros((), dtype=torch.float64)


def sample(seeds):
    return torch.tensor(seeds)  # stands for a sampler


def train_step(x):
    total.add_(x.sum())


# before
for nodes in DataLoader(range(96), batch_size=8, collate_fn=sample, num_workers=2):
    train_step(features[nodes])  # the loop gathers

# after
def gather(seeds):
    return features[sample(seeds)]

for x in DataLoader(range(96), batch_size=8, collate_fn=gather, num_workers=2):
    train_step(x)
