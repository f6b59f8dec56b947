# same: total
# note: The data set must fit beside the model for good, and augmentation must run on the GPU too.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
data = torch.randn(4096, 256)

# before
total = 0
for rows in torch.randperm(len(data)).split(1024):
    batch = data[rows].to(device)  # gathered on the host and sent, in every epoch
    total += batch.square().sum()

# after
data = data.to(device)  # sent once
total = 0
for rows in torch.randperm(len(data), device=device).split(1024):
    batch = data[rows]  # gathered on the GPU
    total += batch.square().sum()
