# same: weight
# note: It is no default in any version; reports differ for large parameters, so time both. Adam, AdamW, SGD and Adagrad have it, on a CPU since PyTorch 2.4; Adagrad on a GPU since 2.12.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 1).to(device)
weight = model.weight
loss_fn = torch.nn.MSELoss()
loader = [(0.1 * torch.randn(16, 8, device=device), torch.randn(16, 1, device=device)) for _ in range(3)]

# before
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for inputs, targets in loader:
    optimizer.zero_grad()
    loss_fn(model(inputs), targets).backward()
    optimizer.step()  # runs a kernel for each operation, on lists of parameters

# after
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
for inputs, targets in loader:
    optimizer.zero_grad()
    loss_fn(model(inputs), targets).backward()
    optimizer.step()  # takes the whole step in one kernel
