# same: activated
# note: The row scripts the function: torch.jit.script warns since PyTorch 2.10 that it is deprecated, and is not supported from Python 3.14 on. torch.compile has taken its place, so type that.
import torch

x = torch.randn(1000, dtype=torch.float64)

# before
def gelu(x):
    return x * 0.5 * (torch.erf(x * 0.7071067811865476) + 1)
activated = gelu(x)

# after
@torch.compile
def gelu(x):
    return x * 0.5 * (torch.erf(x * 0.7071067811865476) + 1)
activated = gelu(x)
