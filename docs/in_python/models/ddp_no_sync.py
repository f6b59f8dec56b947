# same: weight
# note: Clip and read gradients after the second part only: before it each rank has its own.
import torch
import torch.distributed as dist
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel

if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
layer = torch.nn.Linear(4, 1)
model, weight = DistributedDataParallel(layer), layer.weight
optimizer = torch.optim.AdamW(model.parameters())
inputs, targets = torch.randn(16, 4), torch.randn(16, 1)

# before
for part, wanted in zip(inputs.chunk(2), targets.chunk(2)):
    (mse_loss(model(part), wanted) / 2).backward()  # exchanges all gradients, twice
optimizer.step()

# after
(first, second), (first_wanted, second_wanted) = inputs.chunk(2), targets.chunk(2)
with model.no_sync():  # adds up on each rank
    (mse_loss(model(first), first_wanted) / 2).backward()
(mse_loss(model(second), second_wanted) / 2).backward()  # exchanges the sum
optimizer.step()
