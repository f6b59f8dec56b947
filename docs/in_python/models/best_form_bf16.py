# note: It changes the arithmetic: compare what both forms have learned (the rung accuracy); the compiler takes minutes, once for each shape.
import torch
from torch.nn.functional import cross_entropy

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Conv2d(3, 8, 3).to(device)
inputs, targets = torch.randn(8, 3, 4, 4, device=device), torch.randint(8, (8, 2, 2), device=device)

# before
optimizer = torch.optim.AdamW(model.parameters())
loss = cross_entropy(model(inputs), targets)
loss.backward()
optimizer.step()

# after
model = model.to(memory_format=torch.channels_last)  # for convolutions
optimizer = torch.optim.AdamW(model.parameters(), fused=True)
model.compile()
with torch.autocast(device, dtype=torch.bfloat16):
    loss = cross_entropy(model(inputs), targets)
loss.backward()
optimizer.step()
