# same: output
# note: With dynamic=False each new size compiles again, and the ninth and later ones run uncompiled; with many sizes keep dynamic=True, or pad to a few.
import torch
from torch.nn.functional import gelu, layer_norm

batch = torch.randn(40, 64)

# before
def block(x):
    return gelu(layer_norm(x, (64,)))
output = torch.compile(block, dynamic=True)(batch)  # one program for any number of rows

# after
def block(x):
    return gelu(layer_norm(x, (64,)))
output = torch.compile(block, dynamic=False)(batch)  # one for exactly this number
