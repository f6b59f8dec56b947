# same: scaled
import torch

batch = torch.rand(256, 64)
mean, std = batch.mean(dim=0), batch.std(dim=0)

# before
scaled = torch.stack([(sample - mean) / std for sample in batch])

# after
scaled = (batch - mean) / std
