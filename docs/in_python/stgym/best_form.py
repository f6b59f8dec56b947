# same: weight
# note: The step's own kernels have no counterpart in Python; the compiler comes nearest.
import torch
from torch import nn
from torch.nn.functional import linear

model = nn.Linear(16, 4)
x, weight = torch.randn(8, 16), model.weight
distances = torch.cdist(torch.rand(8, 2), torch.rand(8, 2))

# before
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(3):
    sources, targets = (distances < 0.5).nonzero().T  # searched in each epoch
    summed = x.index_add(0, targets, x.index_select(0, sources))
    model(summed).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()

# after
optimizer = torch.optim.Adam(model.parameters(), fused=True)
sources, targets = (distances < 0.5).nonzero().T  # searched once
for epoch in range(3):
    y = linear(x, model.weight)  # short rows from here on
    y = y.index_add(0, targets, y.index_select(0, sources)) + model.bias
    y.square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()
