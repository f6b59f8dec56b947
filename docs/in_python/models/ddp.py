# same: weight
# note: Start it with torchrun --nproc-per-node=2 train.py, and divide batch_size by the ranks to keep the batch; batch norms then see each rank's samples alone (torch.nn.SyncBatchNorm exchanges them).
import os

import torch
from torch.nn.functional import mse_loss
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset
from torch.nn.parallel import DistributedDataParallel

os.environ.update(RANK="0", WORLD_SIZE="1", LOCAL_RANK="0", MASTER_ADDR="127.0.0.1", MASTER_PORT="0")
dataset = TensorDataset(torch.randn(16, 4), torch.randn(16, 1))
model = torch.nn.Linear(4, 1)
optimizer, weight = torch.optim.AdamW(model.parameters()), model.weight


def train_step(model, inputs, targets):
    optimizer.zero_grad()
    mse_loss(model(inputs), targets).backward()
    optimizer.step()


# before
for inputs, targets in DataLoader(dataset, batch_size=16):
    train_step(model, inputs, targets)

# after
torch.distributed.init_process_group()  # in each of torchrun's processes
share = 16 // torch.distributed.get_world_size()
model = DistributedDataParallel(model)  # exchanges gradients during the backward pass
for inputs, targets in DataLoader(dataset, share, sampler=DistributedSampler(dataset)):
    train_step(model, inputs, targets)
