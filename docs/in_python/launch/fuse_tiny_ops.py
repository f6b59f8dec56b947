# same: result
# note: Where gradients are needed keep torch.cat: autograd refuses out=.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
parts = list(torch.randn(4, 1024, device=device))

# before
result = torch.cat([part * 1.5 for part in parts])  # writes everything twice

# after
result = torch.empty(4 * 1024, device=parts[0].device)
for place, part in zip(result.split(1024), parts):
    torch.mul(part, 1.5, out=place)  # writes each piece where it belongs
