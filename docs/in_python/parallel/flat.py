# same: weight
# note: DistributedDataParallel does this by itself, in buckets that it sends during the backward pass.
import torch
import torch.distributed as dist
from torch.nn.functional import mse_loss

if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets, weight = torch.randn(8, 4), torch.randn(8, 1), model.weight
mse_loss(model(inputs), targets).backward()
gradients = [parameter.grad for parameter in model.parameters()]

# before
for gradient in gradients:
    dist.all_reduce(gradient)  # pays the fixed part of a message for each
    gradient /= dist.get_world_size()
optimizer.step()

# after
flat = torch.cat([gradient.flatten() for gradient in gradients])
dist.all_reduce(flat)  # pays it once
means = (flat / dist.get_world_size()).split([gradient.numel() for gradient in gradients])
for gradient, mean in zip(gradients, means):
    gradient.copy_(mean.view_as(gradient))
optimizer.step()
