# same: weight
# note: It gains nothing where layers are too small to keep the GPU busy, and little where FP32 products run in TF32 already. The names in torch.cuda.amp do the same, and have warned since PyTorch 2.4.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 1).to(device)
weight = model.weight
loss_fn = torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loader = [(0.1 * torch.randn(16, 8, device=device), torch.randn(16, 1, device=device)) for _ in range(3)]

# before
for inputs, targets in loader:
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()

# after
scaler = torch.amp.GradScaler("cuda")
for inputs, targets in loader:
    optimizer.zero_grad()
    with torch.amp.autocast("cuda", dtype=torch.float16):
        loss = loss_fn(model(inputs), targets)
    scaler.scale(loss).backward()  # keeps small gradients above FP16's smallest number
    scaler.step(optimizer)
    scaler.update()
