# same: activated
# note: Where the library has the fused operator, as torch.nn.functional.gelu, call that instead. On Python 3.13 torch.compile needs PyTorch 2.6 or later, on 3.14 PyTorch 2.10.
import torch

x = torch.randn(1000, dtype=torch.float64)

# before
def gelu(x):
    return x * 0.5 * (torch.erf(x * 0.7071067811865476) + 1)  # five passes over memory
activated = gelu(x)

# after
@torch.compile  # one pass over memory
def gelu(x):
    return x * 0.5 * (torch.erf(x * 0.7071067811865476) + 1)
activated = gelu(x)
