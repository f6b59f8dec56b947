# same: weight
# note: It is right once, between two phases with tensors of very different sizes, or when another process needs the memory.
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
    loss_fn(model(inputs), targets).backward()
    optimizer.step()
    torch.cuda.empty_cache()  # waits for the GPU and gives every free block back

# after
for inputs, targets in loader:
    optimizer.zero_grad()
    loss_fn(model(inputs), targets).backward()
    optimizer.step()
