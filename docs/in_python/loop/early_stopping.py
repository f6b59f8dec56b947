# same: best
# note: Patience now counts looks of ten steps: three of them stop the training some thirty steps later than three single steps did.
import torch

losses_to_come = iter(torch.linspace(1, 0, 100))


def train_step():
    return next(losses_to_come)


# before
best, without = float("inf"), 0
for step in range(100):
    loss = train_step().item()  # waits for the GPU in each step
    best, without = (loss, 0) if loss < best else (best, without + 1)
    if without == 3:
        break

# after
best, without, losses = float("inf"), 0, []
for step in range(100):
    losses.append(train_step().detach())
    if len(losses) == 10:
        loss = torch.stack(losses).min().item()  # waits once in ten steps
        best, without = (loss, 0) if loss < best else (best, without + 1)
        losses.clear()
        if without == 3: break
