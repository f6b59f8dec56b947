# same: x gradient
# note: Where memory is not short keep both, since computing again takes time.
import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

device = "cuda" if torch.cuda.is_available() else "cpu"
layers = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(4)).to(device)
weight = layers[0].weight
gradient = weight.grad = torch.zeros_like(weight)
x = torch.randn(4, 8, device=device)

# before
for layer in layers:  # keeps x, and computes the product and GELU again
    x = checkpoint(lambda x, layer: F.gelu(layer(x)), x, layer, use_reentrant=False)
x.sum().backward()

# after
x = layers[0](x)
for layer in layers[1:]:  # keeps the product, and computes GELU alone again
    x = checkpoint(lambda x, layer: layer(F.gelu(x)), x, layer, use_reentrant=False)
x = F.gelu(x)
x.sum().backward()
