# needs: cuda
# same: taken
# note: Where the index follows from tensors on the GPU, make it there; a pinned index may be written again only when its copy has run. A mask on the host needs no help since PyTorch's pull request 156384 (2025).
import torch

x = torch.rand(1000, 16, device="cuda")
index = torch.arange(0, 1000, 64)  # on the host

# before
taken = x[index]  # sends the index and waits for it

# after
pinned_index = index.pin_memory()  # keep it, if you use it again
taken = x[pinned_index.to("cuda", non_blocking=True)]  # only queued
