# note: It changes the arithmetic, and hurts on processors without instructions for BF16.
import torch
from torch.nn.functional import mse_loss

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(16, 1).to(device)
x, y = torch.randn(8, 16, device=device), torch.randn(8, 1, device=device)

# before
loss = mse_loss(model(x), y)
loss.backward()

# after
with torch.autocast(device, dtype=torch.bfloat16):  # casts what enters a product
    loss = mse_loss(model(x), y)  # the loss stays FP32
loss.backward()
