# same: weight
# note: On a CUDA device foreach has been the default since PyTorch 2.0, so look for foreach=False and for optimizers of your own.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 1).to(device)
weight = model.weight
loss_fn = torch.nn.MSELoss()
loader = [(0.1 * torch.randn(16, 8, device=device), torch.randn(16, 1, device=device)) for _ in range(3)]

# before
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, foreach=False)
for inputs, targets in loader:
    optimizer.zero_grad()
    loss_fn(model(inputs), targets).backward()
    optimizer.step()  # goes from parameter to parameter

# after
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, foreach=True)
for inputs, targets in loader:
    optimizer.zero_grad()
    loss_fn(model(inputs), targets).backward()
    optimizer.step()  # works on lists of parameters
