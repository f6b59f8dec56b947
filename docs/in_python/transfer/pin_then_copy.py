# needs: cuda
# same: on_gpu
# note: Let a DataLoader with pin_memory=True pin batches ahead instead; on a host of many cores pinning first may win above a few MiB, so measure.
import torch

batch = torch.randn(1024, 1024)

# before
on_gpu = batch.pin_memory().to("cuda")  # copies on the host first

# after
on_gpu = batch.to("cuda")
