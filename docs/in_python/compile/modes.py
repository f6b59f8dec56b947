# same: output
# note: Compiling takes longer, as each candidate is timed; on a CPU it needs torch._inductor.config.freezing too, and mode="reduce-overhead" saves a GPU's launches instead.
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 8)).eval()
inputs = torch.randn(16, 8)

# before
compiled = torch.compile(model)  # leaves the products to the library
with torch.no_grad():
    output = compiled(inputs)

# after
compiled = torch.compile(model, mode="max-autotune")  # tries products of its own as well
with torch.no_grad():
    output = compiled(inputs)
