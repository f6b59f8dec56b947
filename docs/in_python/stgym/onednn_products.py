# same: hidden
# note: For FP32 on a CPU only: it pays where MKL leaves a processor's widest instructions alone, and both conversions are copies.
import torch
from torch.nn.functional import linear

layer, x = torch.nn.Linear(200, 16), torch.randn(64, 200)

# before
hidden = linear(x, layer.weight, layer.bias)  # goes to MKL in the published packages

# after
hidden = linear(x.to_mkldnn(), layer.weight, layer.bias).to_dense()  # goes to oneDNN
