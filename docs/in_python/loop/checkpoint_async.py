# same: weight
# note: It holds a second copy of the state; torch.distributed.checkpoint.load reads the folder, and ranks need a CPU backend (gloo) beside NCCL.
import warnings

import torch

warnings.filterwarnings("ignore", "torch.distributed is disabled")
model = torch.nn.Linear(8, 8)
weight = model.weight


def train_step():
    with torch.no_grad():
        model.weight.mul_(0.9)


# before
for step in range(1, 61):
    train_step()
    if step % 20 == 0:
        torch.save(model.state_dict(), f"step{step}.pt")  # the loop waits for it

# after
from torch.distributed.checkpoint import async_save
saving = None
for step in range(1, 61):
    train_step()
    if step % 20 == 0:
        if saving: saving.result()  # waits only where the one before is not finished
        saving = async_save({"model": model.state_dict()}, checkpoint_id=f"step{step}")
saving.result()
