# same: y
# note: For a chain that PyTorch has no operator for, torch.compile writes the fused kernel.
import math

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(1024, device=device)

# before
y = 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))  # runs five kernels

# after
y = torch.nn.functional.gelu(x)  # runs one
