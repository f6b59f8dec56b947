# same: weight
# note: For a small network only: once layers are so wide that a product takes longer than its launch, autocast pays.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 1).to(device)
weight = model.weight
loss_fn = torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loader = [(0.1 * torch.randn(16, 8, device=device), torch.randn(16, 1, device=device)) for _ in range(3)]

scaler = torch.amp.GradScaler("cuda")

# before
for inputs, targets in loader:
    optimizer.zero_grad()
    with torch.amp.autocast("cuda", dtype=torch.float16):  # adds a kernel for each cast
        loss = loss_fn(model(inputs), targets)
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # checks all gradients and waits for the answer
    scaler.update()

# after
for inputs, targets in loader:
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
