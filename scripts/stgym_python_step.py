"""One training step of STGym's own node classifier, timed: what scripts/stgym_speed.py starts.

Usage: stgym_python_step.py STGYM NODES_PER_GRAPH RUNS THREADS

Only STGym's public classes are used, the way its configuration does; nothing of STGym is part of this project.
"""

import copy
import sys
import time

import torch


def batch_of(graphs, nodes, features, classes):
    from torch_geometric.data import Batch, Data

    items = []
    for _ in range(graphs):
        source = torch.randint(nodes, (8,))
        target = (source + 1) % nodes
        edges = torch.stack([torch.cat([source, target]), torch.cat([target, source])])
        data = Data(x=torch.relu(torch.randn(nodes, features) - 1), edge_index=edges,
                    y=torch.randint(classes, (nodes,)))
        data.adj_t = adjacency(edges, nodes)
        items.append(data)
    return Batch.from_data_list(items)


def adjacency(edges, nodes):
    return torch.sparse_coo_tensor(edges, torch.ones(edges.shape[1]), (nodes, nodes)).coalesce()


def classifier(features, classes):
    from stgym.config_schema import MessagePassingConfig, NodeClassifierModelConfig, PoolingConfig, PostMPConfig
    from stgym.model import STNodeClassifier

    layer = MessagePassingConfig(layer_type="ginconv", dim_inner=128, act="relu", use_batchnorm=False,
                                 pooling=PoolingConfig(type="mincut", n_clusters=20))
    head = PostMPConfig(dims=[64, 32], act="relu", use_batchnorm=False)
    return STNodeClassifier(features, classes, NodeClassifierModelConfig(mp_layers=[layer], post_mp_layer=head))


def step_of(model, optimizer, batch):
    optimizer.zero_grad()
    labels = batch.y
    _, logits, losses = model(copy.copy(batch))  # the model puts its own x and edges into what it is given
    loss = torch.nn.functional.nll_loss(torch.log_softmax(logits, -1), labels) + sum(losses[-1].values())
    loss.backward()
    optimizer.step()


def main():
    folder, nodes, runs, threads = sys.argv[1], *map(int, sys.argv[2:5])
    sys.path.insert(0, folder)
    torch.set_num_threads(threads)
    features, classes = 2000, 39
    batch = batch_of(16, nodes, features, classes)
    model = classifier(features, classes)
    with torch.no_grad():
        model(copy.copy(batch))  # some layers learn their width from their first input
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    step_of(model, optimizer, batch)
    shortest = min(timed(model, optimizer, batch) for _ in range(runs))
    print(f"STGym's Python  {shortest:.4f} s")


def timed(model, optimizer, batch):
    begin = time.perf_counter()
    step_of(model, optimizer, batch)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
