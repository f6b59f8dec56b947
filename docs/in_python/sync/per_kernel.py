# needs: cuda
# same: x
import torch

# before
x = torch.ones(1024, device="cuda")
for _ in range(20):
    x.mul_(1.01)
    torch.cuda.synchronize()  # waits for each kernel

# after
x = torch.ones(1024, device="cuda")
for _ in range(20):
    x.mul_(1.01)
torch.cuda.synchronize()  # waits once
