# same: logits
# note: Choose widths and batch sizes as multiples of 8, too, but time it: since cuBLAS 11 tensor cores take any size, only more slowly.
import torch

features = torch.randn(64, 128)

# before
head = torch.nn.Linear(128, 39, bias=False)  # has an output for each of 39 classes
logits = head(features)

# after
head = torch.nn.Linear(128, 40, bias=False)  # rounds the classes up to a multiple of 8
logits = head(features)[:, :39]  # leaves the padding out
