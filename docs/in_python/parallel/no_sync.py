# same: weight
# note: Clip and read gradients after the last part only: before it each rank has its own; the forward pass must be within no_sync too.
import contextlib

import torch
import torch.distributed as dist
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel

if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
layer = torch.nn.Linear(4, 1)
model, weight = DistributedDataParallel(layer), layer.weight
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
parts = [(torch.randn(4, 4), torch.randn(4, 1)) for _ in range(4)]

# before
for inputs, targets in parts:
    loss = mse_loss(model(inputs), targets) / len(parts)
    loss.backward()  # exchanges the gradients of each part
optimizer.step()

# after
for number, (inputs, targets) in enumerate(parts, 1):
    last = number == len(parts)
    with contextlib.nullcontext() if last else model.no_sync():
        loss = mse_loss(model(inputs), targets) / len(parts)
        loss.backward()  # exchanges the sum, after the last part
optimizer.step()
