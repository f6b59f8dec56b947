# needs: cuda
# same: gradient
# note: Needed only where NCCL cannot be used, which exchanges between the devices themselves.
import torch
import torch.distributed as dist

if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
gradient = torch.randn(1 << 20, device="cuda")

# before
host = gradient.cpu()  # pageable: goes through a buffer of the driver's
dist.all_reduce(host)
gradient.copy_(host / dist.get_world_size())

# after
host = torch.empty(gradient.shape, pin_memory=True)  # once, and used in each step
host.copy_(gradient)
dist.all_reduce(host)
gradient.copy_(host.div_(dist.get_world_size()))
