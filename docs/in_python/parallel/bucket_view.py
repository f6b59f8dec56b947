# same: weight
# note: Such gradients cannot be detached in place, and code that replaces .grad loses the view until the next backward pass.
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
model = DistributedDataParallel(model)  # holds each gradient twice
mse_loss(model(inputs), targets).backward()
optimizer.step()

# after
model = DistributedDataParallel(model, gradient_as_bucket_view=True)
mse_loss(model(inputs), targets).backward()
optimizer.step()
