# needs: cuda
# same: taken
# note: Where the index follows from tensors on the GPU, make it there; a pinned index may be written again only when its copy has run.
import torch

x = torch.rand(1000, 16, device="cuda")
mask = torch.arange(1000) % 64 == 0  # on the host

# before
taken = x[mask]  # sends the mask, then waits for the number of rows

# after
index = mask.nonzero().squeeze(1).pin_memory()
taken = x[index.to("cuda", non_blocking=True)]  # only queued
