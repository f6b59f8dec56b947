# same: weight
# note: Python's default on a GPU is the foreach form, since PyTorch 2.0, so less is left to save there than in C++, where Adam goes parameter by parameter; CPUs have had fused=True since 2.4.
import torch
from torch.nn.functional import mse_loss

model = torch.nn.Linear(4, 1)
inputs, targets, weight = torch.randn(8, 4), torch.randn(8, 1), model.weight

# before
optimizer = torch.optim.Adam(model.parameters())  # seven passes over all parameters
mse_loss(model(inputs), targets).backward()
optimizer.step()

# after
optimizer = torch.optim.Adam(model.parameters(), fused=True)  # one pass
mse_loss(model(inputs), targets).backward()
optimizer.step()
