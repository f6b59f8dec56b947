# same: result
# note: The arithmetic is free only up to the device's balance, 32 to 64 products a value on an A100.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
values = torch.randn(1024, device=device)

# before
def grow(values):
    for _ in range(16):
        values = values * 1.01  # reads and writes all values each time
    return values

result = grow(values)

# after
@torch.compile  # makes one kernel: reads and writes once, multiplies 16 times
def grow(values):
    for _ in range(16):
        values = values * 1.01
    return values

result = grow(values)
