# same: weight
# note: 25 is the default: with bucket_cap_mb left out the first bucket is 1 MiB besides, so that the exchange begins soon; on a slow link smaller ones may pay.
import torch
import torch.distributed as dist
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel

if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets, weight = torch.randn(8, 4), torch.randn(8, 1), model.weight

# before
model = DistributedDataParallel(model, bucket_cap_mb=0.01)  # nearly each gradient by itself
mse_loss(model(inputs), targets).backward()
optimizer.step()

# after
model = DistributedDataParallel(model, bucket_cap_mb=25)  # many gradients to an exchange
mse_loss(model(inputs), targets).backward()
optimizer.step()
