# same: pooled
# note: It hurts with very many tiny graphs, as each is a product of its own.
import torch

torch.sparse.check_sparse_tensor_invariants.disable()
sizes, clusters = [3, 5, 4], 2
assignment, features = torch.rand(12, clusters), torch.randn(12, 4)
graph_of = torch.repeat_interleave(torch.arange(3), torch.tensor(sizes))

# before
columns = graph_of[:, None] * clusters + torch.arange(clusters)  # each graph has its own
rows = torch.arange(len(features))[:, None].expand_as(columns)
places = torch.stack([rows.flatten(), columns.flatten()])
blocks = torch.sparse_coo_tensor(places, assignment.flatten())  # an index to each value
pooled = torch.sparse.mm(blocks.T, features)

# after
pairs = zip(assignment.split(sizes), features.split(sizes))
pooled = torch.cat([part.T @ rows for part, rows in pairs])  # one product a graph
