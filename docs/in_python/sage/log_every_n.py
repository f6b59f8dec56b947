# same: weight
# note: The next sample is drawn while the GPU still trains; any other wait in the loop (`.cpu()`, a progress bar with the loss) takes that back.
import torch
from torch.nn.functional import cross_entropy

model = torch.nn.Linear(4, 3)
optimizer = torch.optim.Adam(model.parameters())
loader, weight = [(torch.randn(8, 4), torch.randint(3, (8,))) for _ in range(100)], model.weight


def train_step(x, y):
    optimizer.zero_grad()
    loss = cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.detach()


# before
for step, (x, y) in enumerate(loader):
    loss = train_step(x, y)
    print(f"step {step}: loss {loss.item():.4f}")  # the next sample waits too

# after
for step, (x, y) in enumerate(loader):
    loss = train_step(x, y)
    if step % 50 == 0:
        print(f"step {step}: loss {loss.item():.4f}")
