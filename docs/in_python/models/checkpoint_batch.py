# same: weight
# note: It costs about a third more arithmetic, so it pays only where small batches leave the machine idle.
import torch
from torch import nn
from torch.nn.functional import mse_loss

blocks = nn.ModuleList(nn.Sequential(nn.Linear(4, 4), nn.GELU()) for _ in range(3))
model, weight = nn.Sequential(*blocks), blocks[0][0].weight
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets = torch.randn(16, 4), torch.randn(16, 4)

# before
for part, wanted in zip(inputs.chunk(4), targets.chunk(4)):  # as much as fits at once
    (mse_loss(model(part), wanted) / 4).backward()
optimizer.step()

# after
from torch.utils.checkpoint import checkpoint
hidden = inputs  # the whole batch
for block in blocks:
    hidden = checkpoint(block, hidden, use_reentrant=False)  # keeps the block's input only
mse_loss(hidden, targets).backward()  # computes the rest again
optimizer.step()
