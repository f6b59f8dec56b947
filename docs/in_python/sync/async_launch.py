# needs: cuda
# same: product rows
import torch

weights = torch.rand(512, 512, device="cuda")

# before
for step in range(4):
    product = weights @ weights
    torch.cuda.synchronize()
    rows = torch.arange(1000) * step  # stands for the host's own work

# after
for step in range(4):
    product = weights @ weights  # only queued
    rows = torch.arange(1000) * step  # runs beside the product
