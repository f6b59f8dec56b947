# same: centered
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(1024, 256, device=device)

# before
scaled = x * 2
medians = scaled.cpu().median(dim=1, keepdim=True).values.to(device)
centered = scaled - medians

# after
scaled = x * 2
medians = scaled.median(dim=1, keepdim=True).values
centered = scaled - medians
