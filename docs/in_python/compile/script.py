# same: activated
# note: The row scripts the function: torch.jit.script has warned since PyTorch 2.10 that it is deprecated, and is not supported since Python 3.14. torch.compile has taken its place, so type that.
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
