# same: starts product
# note: is_coalesced=True is a promise that entries are sorted and none is there twice: nobody checks it.
import torch

torch.sparse.check_sparse_tensor_invariants.disable()
first_rows, sizes, nodes = torch.tensor([0, 3, 8]), torch.tensor([3, 5, 4]), 12
indices, values, features = torch.arange(12).repeat(2, 1), torch.rand(12), torch.randn(12, 4)

# before
starts = torch.repeat_interleave(first_rows, sizes)  # asks the device how many
matrix = torch.sparse_coo_tensor(indices, values).coalesce()  # asks how large, and sorts
product = torch.sparse.mm(matrix, features)

# after
starts = torch.repeat_interleave(first_rows, sizes, output_size=nodes)
matrix = torch.sparse_coo_tensor(indices, values, (nodes, nodes), is_coalesced=True)
product = torch.sparse.mm(matrix, features)
