# same: hidden
# note: Autocast does not do this: pointwise operators work in the type that they get.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
features = torch.arange(-32, 32, device=device).float()

# before
hidden = torch.relu(features * 1.5 + 0.5)  # moves four bytes for each value

# after
features = features.to(torch.bfloat16)  # converts once, best where the values are made
hidden = torch.relu(features * 1.5 + 0.5)  # moves two bytes for each value
