# same: weight
# note: Profile some steps in a run of their own, or let torch.profiler.schedule pick a few.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 1).to(device)
weight = model.weight
loss_fn = torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loader = [(0.1 * torch.randn(16, 8, device=device), torch.randn(16, 1, device=device)) for _ in range(3)]


def train_step(inputs, targets):
    optimizer.zero_grad()
    loss_fn(model(inputs), targets).backward()
    optimizer.step()


# before
with torch.profiler.profile() as profiler:  # watches every operator of the whole run
    for inputs, targets in loader:
        train_step(inputs, targets)

# after
for inputs, targets in loader:
    train_step(inputs, targets)
