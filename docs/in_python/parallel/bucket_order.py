# same: output
# note: Without find_unused_parameters=True the first step puts the buckets in order by itself.
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
inputs = torch.zeros(2, 4)
torch.set_grad_enabled(False)  # no backward pass here

# before
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 1, bias=False)
        self.body = nn.Linear(4, 4, bias=False)  # runs first, constructed last
    def forward(self, x):
        return self.head(self.body(x))
output = DistributedDataParallel(Model(), find_unused_parameters=True)(inputs)

# after
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4, bias=False)  # constructed first, as it runs
        self.head = nn.Linear(4, 1, bias=False)
    def forward(self, x):
        return self.head(self.body(x))
output = DistributedDataParallel(Model(), find_unused_parameters=True)(inputs)
