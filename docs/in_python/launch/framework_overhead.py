# same: total
# note: Values that lie on the GPU stay tensors, since reading each of them by .item() waits for it.
import torch

step_times = [0.25] * 100

# before
total = torch.zeros(())
for seconds in step_times:
    total = total + seconds  # calls an operator to add two numbers

# after
total = 0.0
for seconds in step_times:
    total += seconds  # adds plain Python floats
