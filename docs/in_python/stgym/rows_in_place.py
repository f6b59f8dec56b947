# same: sums
# note: PyTorch reads rows in place to add them up; the step's products, which pick their rows, are CUDA kernels of its own.
import torch
from torch.nn.functional import embedding_bag

features, chosen = torch.randn(100, 8), [(10, 30), (50, 55), (90, 100)]

# before
joined = [features[first:last] for first, last in chosen]
graph_of = torch.cat([torch.full((len(part),), graph) for graph, part in enumerate(joined)])
sums = torch.zeros(len(joined), 8).index_add(0, graph_of, torch.cat(joined))  # copies rows

# after
rows = torch.cat([torch.arange(first, last) for first, last in chosen])
starts = torch.tensor([0] + [last - first for first, last in chosen[:-1]]).cumsum(0)
sums = embedding_bag(rows, features, starts, mode="sum")  # reads them where they lie
