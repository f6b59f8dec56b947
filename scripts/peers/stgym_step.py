"""Times a training step of STGym's own Python, on batches as ours: 16 graphs of the published sizes, data on the device.

Usage: stgym_step.py FOLDER FORM DEVICE SIZE EPOCHS [anomaly]

FOLDER has STGym's package `stgym`. SIZE is the scale of each graph, 0.125 say, or 561nodes: then an epoch is one batch of
graphs that have as many nodes each. A step takes the next batch of an epoch; EPOCHS of them are timed, thrice. `anomaly`:
anomaly detection is on, as in the first published version. Prints one JSON line. Only STGym's public classes are used, as
its configuration does; nothing of STGym is part of this project.
"""

import contextlib
import sys

import torch

import stubs
import timing

GRAPHS, NODES, LEAST, MOST = 159, 714_331, 1_067, 14_683
TRAINING, BATCH = 111, 16
FEATURES, CLASSES, WIDTH, CLUSTERS = 2_000, 39, 128, 20


def sizes_of(scale):
    """Nodes of each graph, as workloads/stgym/data/synthetic.cpp makes them up: their sum and largest are the published."""
    last = GRAPHS - 1
    sizes = [LEAST + (MOST - LEAST) * i**3 // last**3 for i in range(GRAPHS)]
    for i in range(NODES - sum(sizes)):
        sizes[i] += 1
    return [max(8, int(size * scale)) for size in sizes]


def batches_of(size, generator, device):
    """An epoch: seven batches, the last with a graph less; or the one."""
    if size.endswith("nodes"):
        return [batch_of([int(size.removesuffix("nodes"))] * BATCH, generator, device)]
    sizes = sizes_of(float(size))
    order = torch.randperm(GRAPHS, generator=generator)[:TRAINING].tolist()
    return [batch_of([sizes[i] for i in order[at:at + BATCH]], generator, device) for at in range(0, TRAINING, BATCH)]


def batch_of(sizes, generator, device):
    nodes = sum(sizes)
    x = torch.empty(nodes, FEATURES).uniform_(-9, 1, generator=generator).clamp_min_(0)
    edges = torch.stack([torch.arange(0, nodes - 1, 50), torch.arange(1, nodes, 50)])
    edges = torch.cat([edges, edges.flip(0)], 1)
    adjacency = torch.sparse_coo_tensor(edges, torch.ones(edges.shape[1]), (nodes, nodes)).coalesce()
    parts = {"x": x, "edge_index": edges, "y": torch.randint(CLASSES, (nodes,), generator=generator), "adj_t": adjacency,
             "batch": torch.repeat_interleave(torch.arange(len(sizes)), torch.tensor(sizes)),
             "ptr": torch.tensor([0, *torch.tensor(sizes).cumsum(0).tolist()])}
    return {name: part.to(device) for name, part in parts.items()}


def model_of(device, sample):
    from stgym.config_schema import MessagePassingConfig, NodeClassifierModelConfig, PoolingConfig, PostMPConfig
    from stgym.model import STNodeClassifier

    layer = MessagePassingConfig(layer_type="ginconv", dim_inner=WIDTH, act="relu", use_batchnorm=False,
                                 pooling=PoolingConfig(type="mincut", n_clusters=CLUSTERS))
    head = PostMPConfig(dims=[64, 32], act="relu", use_batchnorm=False)
    model = STNodeClassifier(FEATURES, CLASSES, NodeClassifierModelConfig(mp_layers=[layer], post_mp_layer=head)).to(device)
    with torch.no_grad():
        model(graph_of(sample))  # some layers learn their width from their first input
    return model


def graph_of(parts):
    """A fresh one each time: the model puts its own tensors into it."""
    from torch_geometric.data import Data

    graph = Data(x=parts["x"], edge_index=parts["edge_index"], y=parts["y"])
    graph.adj_t, graph.batch, graph.ptr, graph.edge_weight = parts["adj_t"], parts["batch"], parts["ptr"], None
    return graph


def main():
    folder, form, device, size, epochs = sys.argv[1], sys.argv[2], torch.device(sys.argv[3]), sys.argv[4], int(sys.argv[5])
    sys.path.insert(0, folder)
    stubs.install()
    with contextlib.redirect_stdout(sys.stderr):
        from stgym.loss import compute_classification_loss
    torch.manual_seed(1)
    batches = batches_of(size, torch.Generator().manual_seed(1), device)
    model = model_of(device, batches[0])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    torch.autograd.set_detect_anomaly("anomaly" in sys.argv)
    losses = []

    def step(number):
        parts = batches[number % len(batches)]
        _, logits, extra = model(graph_of(parts))
        loss = compute_classification_loss(logits, parts["y"])[0] + sum(extra[-1].values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses[:] = [loss.detach()]

    for number in range(len(batches)):
        step(number)
    measured = timing.times(step, epochs * len(batches), device)
    scale = None if size.endswith("nodes") else float(size)
    timing.say(peer="stgym", form=form, scale=scale, nodes=[len(parts["y"]) for parts in batches],
               **timing.place(device), **measured, loss=float(losses[0]))


if __name__ == "__main__":
    main()
