# same: out
# note: In PyTorch Geometric trim_to_layer(i, batch.num_sampled_nodes, batch.num_sampled_edges, x, edge_index) before layer i trims what layer i reads, and the counts need pyg-lib; layer((x, x[:rows]), edge_index) gives the first rows alone, as here, where trim_to_layer still gives a row to each node that the layer reads; DGL's samplers return one block a layer, which is trimmed already.
import torch

torch.manual_seed(2)
nodes_by_hop, edges_by_hop = [2, 4, 6], [4, 6]  # seeds, then what each hop has found
targets = torch.tensor([0, 0, 1, 1, 2, 2, 3, 4, 5, 5])
sources = torch.tensor([2, 3, 4, 5, 0, 7, 8, 9, 10, 11])
x, weight = torch.randn(12, 3), torch.randn(2, 3, 3)


def layer(x, sources, targets, rows, weight):
    sums = torch.zeros(rows, x.size(1)).index_add(0, targets, x[sources])
    return (sums + x[:rows]) @ weight


# before
hidden = layer(x, sources, targets, 12, weight[0]).relu()  # all 12 nodes
out = layer(hidden, sources, targets, 12, weight[1])[:2]  # again, for 2 seeds

# after
hidden = layer(x, sources, targets, 6, weight[0]).relu()  # seeds and first hop
out = layer(hidden, sources[:4], targets[:4], 2, weight[1])  # seeds
