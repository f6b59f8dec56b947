# same: offsets
# note: Written like this, one script runs on both devices: time an epoch on each before you choose.
import torch

devices = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
sizes = torch.tensor([3, 5, 4])

# before
for device in devices:
    graph_sizes = sizes.to(device)
    zero = torch.zeros(1, dtype=torch.long).to(device)  # copied to a GPU
    offsets = torch.cat([zero, graph_sizes.cumsum(0)])

# after
for device in devices:
    graph_sizes = sizes.to(device)
    zero = graph_sizes.new_zeros(1)  # made where it is used
    offsets = torch.cat([zero, graph_sizes.cumsum(0)])
