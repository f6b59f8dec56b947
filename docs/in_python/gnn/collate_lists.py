# same: x edges
# note: In PyTorch Geometric an InMemoryDataset already holds such arrays, and its DataLoader still splits and joins them; the lines go into a collate_fn of your own, whose data set gives numbers of graphs.
import torch

torch.manual_seed(2)
sizes, chosen = torch.tensor([3, 4, 5, 2]), torch.tensor([2, 0, 3])
features = [torch.randn(size, 2) for size in sizes.tolist()]
links = [torch.randint(size, (2, 6)) for size in sizes.tolist()]  # six edges a graph
all_x, all_edges = torch.cat(features), torch.stack(links)  # once, before training
begins = sizes.cumsum(0) - sizes

# before
firsts = [0, *torch.tensor([len(features[g]) for g in chosen]).cumsum(0).tolist()]
x = torch.cat([features[g] for g in chosen])
edges = torch.cat([links[g] + first for g, first in zip(chosen, firsts)], 1)

# after
counts = sizes[chosen]
first = counts.cumsum(0) - counts
x = all_x[torch.arange(counts.sum()) + (begins[chosen] - first).repeat_interleave(counts)]
edges = (all_edges[chosen] + first.view(-1, 1, 1)).transpose(0, 1).flatten(1)
