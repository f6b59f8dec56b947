#!/usr/bin/env python3
"""Times training steps of GraphSAGE in PyTorch Geometric: what sage_speed.py compares with.

  scripts/sage_python.py draw FOLDER SCALE                    writes a graph's arrays
  scripts/sage_python.py FORM FOLDER BATCH WORKERS STEPS      prints seconds as build/sage_step_cost does

FORM is loader, loader_csr or sampler. `loader` is NeighborLoader and SAGEConv as their pages show them; `loader_csr` turns
each batch into a sparse tensor, so that a product averages the neighbors; `sampler` is the older NeighborSampler with sparse
tensors, which gives a layer no other nodes than it needs. Model, batch, fan-outs and optimizer are those of workloads/sage.
Needs torch_geometric, and torch-sparse as its sampler.
"""

import json
import pathlib
import sys
import time

import numpy as np

FAN_OUTS = [15, 10, 5]
NODES, EDGES, FEATURES, CLASSES = 2_449_029, 61_859_140, 100, 47  # of ogbn-products
HIDDEN = 256
FORMS = ["loader", "loader_csr", "sampler"]


def draw(folder, scale):
    """As workloads/sage draws one: any node, and one by a density that falls with the root of its number."""
    nodes, edges = int(NODES * scale), int(EDGES * scale)
    random = np.random.default_rng(1)
    ends = np.stack([random.integers(0, nodes, edges), (nodes * random.random(edges) ** 2).astype(np.int64)])
    low, high = ends.min(0), ends.max(0)
    both = np.unique((low * nodes + high)[low != high])  # each edge once, no loops
    np.save(folder / "edge.npy", np.stack([both // nodes, both % nodes]))
    np.save(folder / "node-feat.npy", random.standard_normal((nodes, FEATURES), dtype=np.float32))
    labels = random.integers(0, CLASSES, nodes)
    labels[0] = CLASSES - 1
    np.save(folder / "node-label.npy", labels)


def read(folder):
    """Features, edges in both directions, labels, and the nodes that are learned from."""
    import torch
    edges, features, labels = (torch.from_numpy(np.load(folder / f"{name}.npy")) for name in ("edge", "node-feat", "node-label"))
    return features, torch.cat([edges, edges.flip(0)], 1), labels, torch.arange(len(labels) * 9 // 10)


class Loader:
    """NeighborLoader: all layers see the whole sample."""

    def __init__(self, folder, batch, workers, csr):
        from torch_geometric.data import Data
        from torch_geometric.loader import NeighborLoader
        from torch_geometric.transforms import ToSparseTensor
        features, edges, labels, training = read(folder)
        self.loader = NeighborLoader(Data(x=features, edge_index=edges, y=labels), FAN_OUTS, input_nodes=training, shuffle=True,
                                     batch_size=batch, num_workers=workers, transform=ToSparseTensor() if csr else None)

    def sample(self, seeds):
        self.loader.filter_per_worker = False
        return self.loader.collate_fn(seeds)

    def gather(self, drawn):
        return self.loader.filter_fn(drawn)

    def batches(self):
        self.loader.filter_per_worker = True  # NeighborLoader's own choice for features in the host's memory
        return self.loader

    def layers(self, batch):
        """The logits' call for each layer, and the labels."""
        edges = batch.adj_t if "adj_t" in batch else batch.edge_index
        return batch.x, [lambda layer, x: layer(x, edges)] * len(FAN_OUTS), batch.y[:batch.batch_size], batch.num_nodes


class Sampler:
    """NeighborSampler: a layer gets the nodes that it reads and those that it gives."""

    def __init__(self, folder, batch, workers):
        from torch_geometric.loader import NeighborSampler
        from torch_sparse import SparseTensor
        self.features, edges, self.labels, training = read(folder)
        nodes = len(self.labels)
        adjacency = SparseTensor(row=edges[1], col=edges[0], sparse_sizes=(nodes, nodes))
        self.loader = NeighborSampler(adjacency, FAN_OUTS, node_idx=training, return_e_id=False, batch_size=batch, shuffle=True,
                                      num_workers=workers)

    def sample(self, seeds):
        return self.loader.sample(seeds)

    def gather(self, drawn):
        size, nodes, adjacencies = drawn
        return self.features[nodes], adjacencies, self.labels[nodes[:size]]

    def batches(self):
        self.loader.transform = lambda *drawn: self.gather(drawn)
        return self.loader

    def layers(self, batch):
        features, adjacencies, labels = batch
        calls = [lambda layer, x, part=part: layer((x, x[:part.size[1]]), part.adj_t) for part in adjacencies]
        return features, calls, labels, len(features)


class Training:
    def __init__(self, form):
        import torch
        from torch_geometric.nn import SAGEConv
        widths = [FEATURES, HIDDEN, HIDDEN, CLASSES]
        self.form, self.functional = form, torch.nn.functional
        self.convolutions = torch.nn.ModuleList([SAGEConv(*pair) for pair in zip(widths, widths[1:])])
        self.optimizer = torch.optim.Adam(self.convolutions.parameters(), lr=0.003, fused=True)

    def step(self, batch):
        """The nodes of the batch."""
        x, calls, labels, nodes = self.form.layers(batch)
        for i, (convolution, call) in enumerate(zip(self.convolutions, calls)):
            x = call(convolution, x)
            if i + 1 < len(calls):
                x = x.relu()
        self.optimizer.zero_grad()
        self.functional.cross_entropy(x[:len(labels)], labels).backward()
        self.optimizer.step()
        return nodes


def seconds(form, batch, workers, steps):
    import torch
    training, said, nodes = Training(form), {"sample": [], "gather": [], "train": []}, 0
    for step in range(steps + 1):
        seeds = torch.randperm(len(form.loader.dataset))[:batch].tolist()
        times = [time.perf_counter()]
        drawn = form.sample(seeds)
        times.append(time.perf_counter())
        gathered = form.gather(drawn)
        times.append(time.perf_counter())
        count = training.step(gathered)
        times.append(time.perf_counter())
        if step > 0:  # the first one is left out
            nodes += count
            for name, begin, end in zip(said, times, times[1:]):
                said[name].append(end - begin)
    if workers:
        batches = iter(form.batches())
        training.step(next(batches))  # the workers have started
        begin = time.perf_counter()
        for _ in range(steps):
            training.step(next(batches))
        said["ahead"] = [(time.perf_counter() - begin) / steps]
    return {**said, "nodes": nodes // steps}


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "draw":
        draw(pathlib.Path(sys.argv[2]), float(sys.argv[3]))
    elif len(sys.argv) == 6 and sys.argv[1] in FORMS:
        name, folder, (batch, workers, steps) = sys.argv[1], pathlib.Path(sys.argv[2]), map(int, sys.argv[3:])
        form = Sampler(folder, batch, workers) if name == "sampler" else Loader(folder, batch, workers, name == "loader_csr")
        print(json.dumps(seconds(form, batch, workers, steps)))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
