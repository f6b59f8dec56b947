# same: weight
# note: It takes minutes to compile, once for each machine and each shape.
import torch
from torch.nn.functional import mse_loss

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.AdamW(model.parameters())
inputs, targets, weight = torch.randn(8, 4), torch.randn(8, 1), model.weight

# before
loss = mse_loss(model(inputs), targets)
loss.backward()
optimizer.step()

# after
loss_of = torch.compile(lambda inputs, targets: mse_loss(model(inputs), targets))
update = torch.compile(optimizer.step)
loss = loss_of(inputs, targets)  # joins what lies between the products and convolutions
loss.backward()
update()
