# same: uniform
# note: Expect no gain while other lines of the same step wait for the device anyway.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
clusters = 20

# before
root = torch.tensor(float(clusters), device=device).sqrt()
uniform = torch.full((clusters,), (1 / root).item(), device=device)  # waits for the device

# after
root = torch.tensor(float(clusters), device=device).sqrt()
uniform = torch.ones(clusters, device=device) / root  # stays on the device
