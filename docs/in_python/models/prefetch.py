# needs: cuda
# same: total
# note: It pays where copies are long beside a step; pin_memory=True and non_blocking=True alone already spare the host the wait.
import itertools

import torch
from torch.utils.data import DataLoader, TensorDataset

dataset = TensorDataset(torch.arange(64.0), torch.ones(64))
total = torch.zeros((), device="cuda")


def train_step(inputs, targets):
    total.add_((inputs * targets).sum())


# before
for inputs, targets in DataLoader(dataset, batch_size=8):
    train_step(inputs.to("cuda"), targets.to("cuda"))  # the host waits for each copy

# after
copies, ready = torch.cuda.Stream(), []
for batch in itertools.chain(DataLoader(dataset, batch_size=8, pin_memory=True), [[]]):
    torch.cuda.current_stream().wait_stream(copies)  # for what it copied last round
    with torch.cuda.stream(copies):  # copies the next one beside this one's step
        coming = [part.to("cuda", non_blocking=True) for part in batch]
    for part in coming: part.record_stream(torch.cuda.current_stream())
    if ready: train_step(*ready)
    ready = coming
