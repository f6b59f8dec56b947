# same: weight
# note: A GPU before Ampere or a CPU without BF16 instructions gets slower.
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
for inputs, targets in loader:
    optimizer.zero_grad()
    with torch.amp.autocast(device, dtype=torch.bfloat16):  # "cuda" or "cpu"
        loss = loss_fn(model(inputs), targets)
    loss.backward()  # needs no GradScaler: BF16 has the range of FP32
    optimizer.step()
