# same: hidden
# note: The compiler takes a product of its own, with bias and ReLU in it, only where it finds that faster than the library's.
import torch
from torch import nn

layer, x = nn.Sequential(nn.Linear(16, 8), nn.ReLU()), torch.randn(32, 16)

# before
hidden = layer(x)  # the ReLU reads and writes the product's result once more

# after
layer = torch.compile(layer, mode="max-autotune-no-cudagraphs", dynamic=True)
hidden = layer(x)
