# same: seen
# note: A step then takes longer than on one rank but trains N times the samples; a larger batch may want another learning rate.
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
dataset, seen = TensorDataset(torch.arange(64.0)), []


def train_step(inputs):
    seen.append(len(inputs))


# before
share = 16 // dist.get_world_size()  # less work for each rank, and the exchange stays
for (inputs,) in DataLoader(dataset, batch_size=share, sampler=DistributedSampler(dataset)):
    train_step(inputs)

# after
share = 16  # the batch grows with the ranks
for (inputs,) in DataLoader(dataset, batch_size=share, sampler=DistributedSampler(dataset)):
    train_step(inputs)
