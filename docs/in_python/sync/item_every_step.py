# same: total
import torch

losses = [torch.tensor(float(i)) for i in range(10)]

# before
total = 0.0
for loss in losses:
    total += loss.item()  # waits for the GPU in each step

# after
total = torch.zeros((), device=losses[0].device)
for loss in losses:
    total += loss.detach()
total = total.item()  # waits once
