# note: It changes the arithmetic, and hurts on processors without instructions for BF16.
import torch
from torch.nn.functional import linear

features, weight = torch.randn(64, 16), torch.randn(8, 16)

# before
for step in range(3):
    hidden = linear(features, weight)

# after
half = features.bfloat16()  # once, before the loop
for step in range(3):
    hidden = linear(half, weight.bfloat16()).float()
