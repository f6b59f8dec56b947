# same: hidden
# note: It hurts where the layer's output is wider than its input.
import torch
from torch.nn.functional import linear

x, layer = torch.randn(30, 200, dtype=torch.float64), torch.nn.Linear(200, 8, dtype=torch.float64)
sources, targets = torch.randint(30, (2, 50))

# before
summed = x.index_add(0, targets, x.index_select(0, sources))  # moves and keeps long rows
hidden = layer(summed)

# after
y = linear(x, layer.weight)  # makes the rows short first
hidden = y.index_add(0, targets, y.index_select(0, sources)) + layer.bias  # bias once
