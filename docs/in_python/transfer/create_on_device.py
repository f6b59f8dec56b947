# same: positions mask
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"

# before
positions = torch.arange(4096).repeat(64).to(device)
mask = torch.ones(128, 128, dtype=torch.bool).tril().to(device)

# after
positions = torch.arange(4096, device=device).repeat(64)
mask = torch.ones(128, 128, dtype=torch.bool, device=device).tril()
