# same: weight
# note: Turn it on only while you look for the operator that makes a NaN.
import torch
from torch.nn.functional import mse_loss

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets, weight = torch.randn(8, 4), torch.randn(8, 1), model.weight

# before
torch.autograd.set_detect_anomaly(True)  # looks for NaN in each gradient
mse_loss(model(inputs), targets).backward()
optimizer.step()

# after
torch.autograd.set_detect_anomaly(False)  # the default
mse_loss(model(inputs), targets).backward()
optimizer.step()
