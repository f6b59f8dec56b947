# same: loss next_batch
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model, batch = torch.nn.Linear(64, 64, device=device), torch.ones(32, 64, device=device)


def prepare(step):
    return torch.full((32, 64), float(step))


# before
loss = model(batch).square().mean().item()  # waits for the GPU
next_batch = prepare(2)

# after
loss = model(batch).square().mean()  # only queued
next_batch = prepare(2)  # the host works while the GPU does
loss = loss.item()
