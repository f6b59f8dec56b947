# same: seen
# note: batch_size is that of each rank: divide the batch by the ranks if it is to stay as large as it was.
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset

if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
dataset, seen = TensorDataset(torch.arange(64.0)), []


def train_step(inputs):
    seen.append(len(inputs))


# before
loader = DataLoader(dataset, batch_size=16, shuffle=True)  # all of it on each rank
for epoch in range(2):
    for (inputs,) in loader:
        train_step(inputs)

# after
sampler = torch.utils.data.DistributedSampler(dataset)  # each rank has its own shard
loader = DataLoader(dataset, batch_size=16, sampler=sampler)
for epoch in range(2):
    sampler.set_epoch(epoch)  # shuffles anew
    for (inputs,) in loader:
        train_step(inputs)
