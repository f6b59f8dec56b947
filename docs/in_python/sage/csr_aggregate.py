# same: means
# note: In PyTorch Geometric give SAGEConv a SparseTensor, or a CSR tensor of PyTorch (the transform ToSparseTensor makes either), since with a sorted EdgeIndex it still copies a row for each edge; DGL's mean of neighbors, update_all(copy_u, mean), is such an operator.
import torch
from torch.nn.functional import embedding_bag

torch.manual_seed(2)
x, sources = torch.randn(12, 3), torch.randint(12, (10,))
targets, offsets = torch.tensor([0, 0, 0, 1, 2, 2, 2, 2, 3, 3]), torch.tensor([0, 3, 4, 8, 10])

# before
messages = x.index_select(0, sources)  # a row for each edge
sums = torch.zeros(4, 3).scatter_add(0, targets.unsqueeze(1).expand_as(messages), messages)
means = sums / targets.bincount(minlength=4).unsqueeze(1)

# after
means = embedding_bag(sources, x, offsets, mode="mean", include_last_offset=True)
