# same: offsets diagonal scores
# note: The largest part is device_indices; on a CPU nothing moves, and these lines gain little.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model, clusters = torch.nn.Linear(4, 1).to(device), 20
graph_sizes = torch.tensor([3, 5, 4], device=device)
batches = [torch.randn(8, 4, device=device) for _ in range(5)]

# before
offsets = torch.cat([torch.zeros(1, dtype=torch.long).to(device), graph_sizes.cumsum(0)])
root = torch.tensor(float(clusters), device=device).sqrt()
diagonal = torch.full((clusters,), (1 / root).item(), device=device)
scores = torch.cat([model(batch).detach().cpu() for batch in batches])

# after
offsets = torch.cat([graph_sizes.new_zeros(1), graph_sizes.cumsum(0)])
root = torch.tensor(float(clusters), device=device).sqrt()
diagonal = torch.ones(clusters, device=device) / root
scores = torch.cat([model(batch).detach() for batch in batches]).cpu()
