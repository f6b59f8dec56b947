# same: weight
# note: 25 is the default: with bucket_cap_mb left out the first bucket is 1 MiB besides, so that the exchange begins soon.
import torch
import torch.distributed as dist
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel

if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.AdamW(model.parameters())
inputs, targets, weight = torch.randn(8, 4), torch.randn(8, 1), model.weight

# before
model = DistributedDataParallel(model, bucket_cap_mb=0.001)  # each gradient by itself
mse_loss(model(inputs), targets).backward()
optimizer.step()

# after
model = DistributedDataParallel(model, bucket_cap_mb=25)
mse_loss(model(inputs), targets).backward()
optimizer.step()
