# same: total
# note: Where device and type are right, `.to()` gives back the very same tensor in less than a microsecond: both are right.
import torch

device = torch.device("cuda", 0) if torch.cuda.is_available() else torch.device("cpu")
batches = [torch.randn(1024, device=device) for _ in range(10)]

# before
total = 0
for batch in batches:
    total += batch.to(device).sum()  # copies nothing that is there already

# after
total = 0
for batch in batches:
    total += batch.sum()
