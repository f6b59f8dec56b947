# same: weight
# note: It has been the default since PyTorch 2.0: leave set_to_none=False out of older scripts.
import torch
from torch.nn.functional import mse_loss

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.AdamW(model.parameters())
loader, weight = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(5)], model.weight

# before
for inputs, targets in loader:
    optimizer.zero_grad(set_to_none=False)  # writes zeros, to which the backward pass adds
    mse_loss(model(inputs), targets).backward()
    optimizer.step()

# after
for inputs, targets in loader:
    optimizer.zero_grad()  # drops the gradients, and the backward pass stores new ones
    mse_loss(model(inputs), targets).backward()
    optimizer.step()
