# needs: cuda
# note: In DGL put the graph and the seeds on the GPU, graph.to("cuda"), and give DataLoader num_workers=0; PyTorch Geometric's NeighborLoader samples on the host.
import torch

neighbors, seeds = torch.randint(1000, (1000, 20)), torch.arange(64)

# before
picks = torch.rand(64, 20).argsort(1)[:, :5]  # five different neighbors of each seed
nodes = neighbors[seeds].gather(1, picks).to("cuda")

# after
neighbors, seeds = neighbors.to("cuda"), seeds.to("cuda")  # once, before training
picks = torch.rand(64, 20, device="cuda").argsort(1)[:, :5]
nodes = neighbors[seeds].gather(1, picks)
