# same: total
# note: Threads are as fast where decode() spends its time in a library that lets go of Python's lock; there leave them.
import torch
from concurrent.futures import ThreadPoolExecutor
from torch.utils.data import DataLoader

class Numbers(torch.utils.data.Dataset):
    texts = [" ".join(map(str, range(i, i + 100))) for i in range(64)]
    def __len__(self):
        return len(self.texts)
    def __getitem__(self, i):
        return sum(int(word) for word in self.texts[i].split())
data = Numbers()

# before
with ThreadPoolExecutor(2) as threads:  # they take turns in Python's own code
    total = sum(threads.map(data.__getitem__, range(len(data))))

# after
loader = DataLoader(data, batch_size=8, num_workers=2, multiprocessing_context="fork")
total = sum(int(batch.sum()) for batch in loader)
