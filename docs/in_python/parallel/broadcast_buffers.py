# same: weight
# note: Right where no step changes a buffer, as with frozen batch norms; where ranks change them, broadcast them once before the evaluation.
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel

if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = nn.Sequential(nn.Linear(4, 1), nn.BatchNorm1d(1).eval())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets, weight = torch.randn(8, 4), torch.randn(8, 1), model[0].weight

# before
model = DistributedDataParallel(model)  # sends rank 0's buffers before each forward pass
mse_loss(model(inputs), targets).backward()
optimizer.step()

# after
model = DistributedDataParallel(model, broadcast_buffers=False)
mse_loss(model(inputs), targets).backward()
optimizer.step()
