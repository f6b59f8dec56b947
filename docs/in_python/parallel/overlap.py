# same: weight
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
mse_loss(model(inputs), targets).backward()
gradients = [parameter.grad for parameter in model.parameters()]
flat = torch.cat([gradient.flatten() for gradient in gradients])
dist.all_reduce(flat)  # starts when the backward pass is over
means = (flat / dist.get_world_size()).split([gradient.numel() for gradient in gradients])
for gradient, mean in zip(gradients, means):
    gradient.copy_(mean.view_as(gradient))
optimizer.step()

# after
model = DistributedDataParallel(model)  # sends full buckets during the backward pass
mse_loss(model(inputs), targets).backward()
optimizer.step()
