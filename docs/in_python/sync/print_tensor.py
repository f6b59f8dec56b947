# same: x
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"

# before
x = torch.ones(1000, device=device)
for _ in range(10):
    x = x * 1.5
    print(x)  # waits and formats in each iteration

# after
x = torch.ones(1000, device=device)
for _ in range(10):
    x = x * 1.5
print(x)
