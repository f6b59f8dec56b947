# same: activated
# note: torch.jit.script warns since PyTorch 2.10 that it is deprecated, and is not supported from Python 3.14 on; the step measures what is left of it where no Python is in the way.
import warnings

import torch

warnings.simplefilter("ignore", DeprecationWarning)
torch.jit.script = lambda function: function  # cannot read the source of these lines
x = torch.randn(1000, dtype=torch.float64)

# before
@torch.jit.script
def gelu(x):
    return x * 0.5 * (torch.erf(x * 0.7071067811865476) + 1)
activated = gelu(x)

# after
@torch.compile  # has taken TorchScript's place
def gelu(x):
    return x * 0.5 * (torch.erf(x * 0.7071067811865476) + 1)
activated = gelu(x)
