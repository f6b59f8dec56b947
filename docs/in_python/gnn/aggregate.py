# same: sums
# note: PyTorch Geometric's layers do so for a SparseTensor or PyTorch's CSR tensors (for a sorted EdgeIndex only GraphConv does), DGL's in update_all; `embedding_bag` wants edges sorted by target.
import torch
from torch.nn.functional import embedding_bag

torch.manual_seed(2)
x, sources = torch.randn(12, 3), torch.randint(12, (10,))
targets, offsets = torch.tensor([0, 0, 0, 1, 2, 2, 2, 2, 3, 3]), torch.tensor([0, 3, 4, 8, 10])

# before
messages = x.index_select(0, sources)  # a row for each edge
sums = torch.zeros(4, 3).scatter_add(0, targets.unsqueeze(1).expand_as(messages), messages)

# after
# offsets: where the edges of each target begin, and how many there are in all
sums = embedding_bag(sources, x, offsets, mode="sum", include_last_offset=True)
