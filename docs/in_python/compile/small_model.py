# same: weight
# note: The first step takes many seconds, often half a minute; a batch of another size compiles again.
import torch
from torch import nn
from torch.nn.functional import mse_loss

model = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
inputs, targets, weight = torch.randn(16, 4), torch.randn(16, 1), model[0].weight

# before
loss = mse_loss(model(inputs), targets)
loss.backward()
optimizer.step()
optimizer.zero_grad()

# after
model.compile()  # once, before the loop: the first call compiles forward and backward
update = torch.compile(optimizer.step)  # once, too
loss = mse_loss(model(inputs), targets)
loss.backward()
update()
optimizer.zero_grad()
