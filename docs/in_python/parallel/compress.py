# note: It costs digits, and hurts where the link is faster than the processor that converts; fp16_compress_hook keeps 3 bits more and overflows at 65504.
import torch
import torch.distributed as dist
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel

if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model, inputs, targets = torch.nn.Linear(4, 1), torch.randn(8, 4), torch.randn(8, 1)

# before
model = DistributedDataParallel(model)
mse_loss(model(inputs), targets).backward()  # exchanges 32 bits of each value

# after
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import bf16_compress_hook
model = DistributedDataParallel(model)
model.register_comm_hook(None, bf16_compress_hook)
mse_loss(model(inputs), targets).backward()  # exchanges 16
