# needs: cuda
# same: total
# note: The step must never read the device, and padding must count for nothing: here zeros, in a real step nodes without label, edge and graph.
import torch

total = torch.zeros((), device="cuda")
batches = [torch.ones(nodes, 4, device="cuda") for nodes in (3000, 5000, 4000)]


def train_step(x):
    total.add_(x.sum())


train_step(torch.zeros(1, 4, device="cuda"))  # warms up
graphs = {}
for room in (4096, 8192):
    padded, graph = torch.zeros(room, 4, device="cuda"), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        train_step(padded)
    graphs[room] = padded, graph

# before
for x in batches:
    train_step(x)  # launches each kernel

# after
for x in batches:
    room = -(-len(x) // 4096) * 4096
    padded, graph = graphs[room]  # train_step(padded), captured once for each size
    padded[:len(x)].copy_(x)
    padded[len(x):].zero_()
    graph.replay()  # launches all of it at once
