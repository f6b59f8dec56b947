# note: Where users wait for the first run, time first runs, each in a fresh process.
import time

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model, images = torch.nn.Conv2d(16, 16, 3, device=device), torch.rand(1, 16, 32, 32, device=device)

# before
start = time.perf_counter()
for _ in range(5):
    model(images).sum().item()  # waits for the GPU
seconds = (time.perf_counter() - start) / 5

# after
model(images).sum().item()  # loads code and chooses kernels for this shape
start = time.perf_counter()
for _ in range(5):
    model(images).sum().item()
seconds = (time.perf_counter() - start) / 5
