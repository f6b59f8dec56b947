# same: weight
# note: PyTorch warns where the search found none; it is needed where steps leave parameters out, and static_graph=True costs less if these are always the same.
import warnings

import torch
import torch.distributed as dist
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel

warnings.simplefilter("ignore")
if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets, weight = torch.randn(8, 4), torch.randn(8, 1), model.weight

# before
model = DistributedDataParallel(model, find_unused_parameters=True)
mse_loss(model(inputs), targets).backward()  # walks through the graph first, to find none
optimizer.step()

# after
model = DistributedDataParallel(model)  # all parameters take part in each step
mse_loss(model(inputs), targets).backward()
optimizer.step()
