# note: It changes the arithmetic, and hurts on processors without instructions for BF16 or where products are small.
import torch
from torch.nn.functional import cross_entropy

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(16, 3).to(device)
optimizer = torch.optim.AdamW(model.parameters())
inputs, targets = torch.randn(8, 16, device=device), torch.randint(3, (8,), device=device)

# before
loss = cross_entropy(model(inputs), targets)
loss.backward()
optimizer.step()

# after
with torch.autocast(device, dtype=torch.bfloat16):  # the parameters stay FP32
    loss = cross_entropy(model(inputs), targets)
loss.backward()  # outside of autocast
optimizer.step()
