# needs: cuda
# same: on_gpu
# note: Copies of up to 64 KiB need not wait either way; a DataLoader with pin_memory=True hands out pinned batches.
import torch

weights = torch.rand(1024, 1024, device="cuda")

# before
batch = torch.ones(4096, 1024)
product = weights @ weights
on_gpu = batch.to("cuda", non_blocking=True)  # may wait for the product all the same

# after
batch = torch.ones(4096, 1024, pin_memory=True)
product = weights @ weights
on_gpu = batch.to("cuda", non_blocking=True)  # only queued
