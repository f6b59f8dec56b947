# same: sums
# note: PyTorch Geometric's layers do so where they are given a SparseTensor or a CSR tensor of PyTorch, of a sorted EdgeIndex GraphConv alone, DGL's by update_all; `embedding_bag` wants edges sorted by target.
import torch
from torch.nn.functional import embedding_bag

torch.manual_seed(2)
x, sources = torch.randn(12, 3), torch.randint(12, (10,))
targets, offsets = torch.tensor([0, 0, 0, 1, 2, 2, 2, 2, 3, 3]), torch.tensor([0, 3, 4, 8, 10])

# before
messages = x.index_select(0, sources)  # a row for each edge
sums = torch.zeros(4, 3).scatter_add(0, targets.unsqueeze(1).expand_as(messages), messages)

# after
sums = embedding_bag(sources, x, offsets, mode="sum", include_last_offset=True)
