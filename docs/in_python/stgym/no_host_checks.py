# same: offsets
import torch
from torch.nn.functional import pad

device = "cuda" if torch.cuda.is_available() else "cpu"
sizes, features = [3, 5, 4], torch.randn(12, 4, device=device)
graph_sizes = torch.tensor(sizes, device=device)

# before
offsets = pad(graph_sizes.cumsum(0), (1, 0))
assert offsets[-1] == len(features)  # reads a number of the device's, and waits for it

# after
offsets = pad(graph_sizes.cumsum(0), (1, 0))
assert sum(sizes) == len(features)  # asks a list and a shape
