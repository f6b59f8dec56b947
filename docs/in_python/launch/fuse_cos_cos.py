# same: y
# note: The first call compiles, which takes seconds, so it pays for work that runs often.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(1024, device=device)

# before
y = x.cos().cos()  # passes over memory twice

# after
@torch.compile
def cos_cos(x):
    return x.cos().cos()  # becomes one kernel: passes over memory once

y = cos_cos(x)
