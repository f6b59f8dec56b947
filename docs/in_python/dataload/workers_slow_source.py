# same: total
# note: Take no more workers than loading needs to keep up with the training; starting them takes time, so a short first epoch may gain nothing, and where samples are quick to get, workers cost more than they save.
import time

import torch
from torch.utils.data import DataLoader


class SlowDataset(torch.utils.data.Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, i):
        time.sleep(0.002)
        return torch.full((16,), float(i))


slow_dataset = SlowDataset()

# before
loader = DataLoader(slow_dataset, batch_size=8)  # loads and trains in turns
for epoch in range(2):
    total = sum(batch.sum() for batch in loader)

# after
loader = DataLoader(slow_dataset, batch_size=8, num_workers=4, persistent_workers=True)
for epoch in range(2):  # loads beside the training; starts four workers once
    total = sum(batch.sum() for batch in loader)
