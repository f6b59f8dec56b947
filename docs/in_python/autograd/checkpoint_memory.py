# same: outputs gradient
# note: It costs most of a second forward pass, so use it where memory decides. Without use_reentrant PyTorch, 2.15 too, warns and takes the older form.
import torch
from torch.utils.checkpoint import checkpoint_sequential

device = "cuda" if torch.cuda.is_available() else "cpu"
layers = torch.nn.Sequential(*[torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU()) for _ in range(16)]).to(device)
weight = layers[0][0].weight
gradient = weight.grad = torch.zeros_like(weight)
inputs = torch.randn(4, 8, device=device)

# before
outputs = layers(inputs)  # keeps what all 16 layers put out
outputs.sum().backward()

# after
segments = 4  # keeps the input of each, and computes its layers again
outputs = checkpoint_sequential(layers, segments, inputs, use_reentrant=False)
outputs.sum().backward()
