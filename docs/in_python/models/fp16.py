# note: It changes the arithmetic, and the scaler waits for the GPU in each step; on a GPU with BF16, bf16 needs no scaler.
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
scaler = torch.amp.GradScaler(device)  # once, before the loop
with torch.autocast(device, dtype=torch.float16):
    loss = cross_entropy(model(inputs), targets)
scaler.scale(loss).backward()  # keeps small gradients from becoming zero
scaler.step(optimizer)  # leaves the update out where a gradient is not finite
scaler.update()
