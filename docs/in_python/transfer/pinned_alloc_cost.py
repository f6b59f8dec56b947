# needs: cuda
# same: on_gpu
# note: PyTorch keeps freed pinned blocks and hands them out again, so only blocks that are in use at once are pinned anew.
import torch

# before
pinned = [torch.empty(1024, 1024, pin_memory=True) for _ in range(10)]  # pins ten blocks
for step, host in enumerate(pinned):
    host.fill_(step)
    on_gpu = host.to("cuda")

# after
host = torch.empty(1024, 1024, pin_memory=True)  # pins one block, used in each step
for step in range(10):
    host.fill_(step)
    on_gpu = host.to("cuda")
