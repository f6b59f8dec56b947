# same: x
# note: Where a tensor is needed, `torch.full((), 0.5, device=device)` writes it on the GPU, without a wait.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"

# before
x = torch.zeros(65536, device=device)
for _ in range(50):
    x += torch.tensor(0.5, device=device)  # copies four bytes and waits for them

# after
x = torch.zeros(65536, device=device)
for _ in range(50):
    x += 0.5
