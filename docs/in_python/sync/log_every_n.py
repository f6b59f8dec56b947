# same: log
# note: The numbers come up to N steps late, and so does the news that a loss has become NaN.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
losses = torch.rand(30, device=device)

# before
log, total = [], 0.0
for step, loss in enumerate(losses, start=1):
    total += loss.item()  # waits in each step
    if step % 10 == 0:
        log.append(total / 10)
        total = 0.0

# after
log, total = [], torch.zeros((), device=device)
for step, loss in enumerate(losses, start=1):
    total += loss.detach()
    if step % 10 == 0:
        log.append(total.item() / 10)  # waits in one step of ten
        total.zero_()
