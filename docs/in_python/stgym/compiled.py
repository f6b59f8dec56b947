# same: weight
# note: Batches differ in size, so it is one program for any size; it takes a minute or two to compile.
import torch
from torch.nn.functional import mse_loss

model = torch.nn.Linear(16, 1)
optimizer = torch.optim.Adam(model.parameters())
x, y, weight = torch.randn(8, 16), torch.randn(8, 1), model.weight

# before
loss = mse_loss(model(x), y)
loss.backward()
optimizer.step()

# after
loss_of = torch.compile(lambda x, y: mse_loss(model(x), y), dynamic=True)
update = torch.compile(optimizer.step)
loss = loss_of(x, y)
loss.backward()
update()
