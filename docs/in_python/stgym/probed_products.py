# same: hidden
# note: On a CPU only. It pays where the faster library is not the one that PyTorch takes.
from timeit import repeat

import torch
from torch.nn.functional import linear

layer, x = torch.nn.Linear(200, 16), torch.randn(64, 200)

# before
hidden = linear(x, layer.weight, layer.bias)  # one library, whatever the processor

# after
def mkl():
    return linear(x, layer.weight, layer.bias)

def onednn():
    return linear(x.to_mkldnn(), layer.weight, layer.bias).to_dense()

hidden = min(mkl, onednn, key=lambda library: min(repeat(library, number=1)))()
