# same: weight
import torch
from torch.nn.functional import mse_loss

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.AdamW(model.parameters())
loader, weight = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(100)], model.weight


def train_step(inputs, targets):
    loss = mse_loss(model(inputs), targets)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach()


# before
for step, (inputs, targets) in enumerate(loader):
    loss = train_step(inputs, targets)
    print(f"step {step}: loss {loss.item():.4f}")  # waits for the GPU in each step

# after
for step, (inputs, targets) in enumerate(loader):
    loss = train_step(inputs, targets)
    if step % 50 == 0:
        print(f"step {step}: loss {loss.item():.4f}")
