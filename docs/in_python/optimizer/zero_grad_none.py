# same: weight
# note: It has been the default since PyTorch 2.0; a parameter that takes no part in a pass then has no gradient, and the optimizer skips it.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 1).to(device)
weight = model.weight
loss_fn = torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loader = [(0.1 * torch.randn(16, 8, device=device), torch.randn(16, 1, device=device)) for _ in range(3)]

# before
for inputs, targets in loader:
    optimizer.zero_grad(set_to_none=False)  # writes zeros, which backward() reads again
    loss_fn(model(inputs), targets).backward()
    optimizer.step()

# after
for inputs, targets in loader:
    optimizer.zero_grad()  # drops the gradients
    loss_fn(model(inputs), targets).backward()
    optimizer.step()
