# same: weight
# note: With BF16 neither the scaler nor its question is needed.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 1).to(device)
weight = model.weight
loss_fn = torch.nn.MSELoss()
scaler = torch.amp.GradScaler("cuda")
loader = [(0.1 * torch.randn(16, 8, device=device), torch.randn(16, 1, device=device)) for _ in range(3)]

# before
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for inputs, targets in loader:
    optimizer.zero_grad()
    with torch.amp.autocast("cuda", dtype=torch.float16):
        loss = loss_fn(model(inputs), targets)
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # reads the overflow flag back: the host waits
    scaler.update()

# after
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
for inputs, targets in loader:
    optimizer.zero_grad()
    with torch.amp.autocast("cuda", dtype=torch.float16):
        loss = loss_fn(model(inputs), targets)
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # hands the flag to the kernel, which skips by itself
    scaler.update()
