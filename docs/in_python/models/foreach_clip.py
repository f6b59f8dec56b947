# same: weight
# note: It is what PyTorch does by itself where it can, since 2.0: leave foreach=False out of older scripts.
import torch
from torch.nn.functional import mse_loss

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.AdamW(model.parameters())
inputs, targets, weight = torch.randn(8, 4), 100 * torch.randn(8, 1), model.weight

# before
mse_loss(model(inputs), targets).backward()
torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=False)  # one by one
optimizer.step()

# after
mse_loss(model(inputs), targets).backward()
torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=True)  # all at once
optimizer.step()
