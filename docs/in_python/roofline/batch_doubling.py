# note: A ratio near 1 can also come from products with so few rows that reading the weights is the time; a profile tells.
import torch
from torch.utils.benchmark import Timer

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 8).to(device)
inputs = torch.randn(16, 8, device=device)
torch.set_grad_enabled(False)

# before
once = Timer("model(inputs)", globals=globals()).blocked_autorange().median
print(f"{once:.6f} s for a batch")

# after
once = Timer("model(inputs)", globals=globals()).blocked_autorange().median
doubled = torch.cat([inputs, inputs])
twice = Timer("model(doubled)", globals=globals()).blocked_autorange().median
print(f"twice the batch: {twice / once:.2f} times as long")  # near 1: waits for the host
