# needs: cuda
# same: total
# note: In PyTorch Geometric the transform Pad(max_num_nodes, max_num_edges) gives all batches one size, and fails for a batch that is larger; the loss reads the first batch.batch_size rows, which are the seeds, so that it leaves the padding out.
import torch

total = torch.zeros((), device="cuda")
batches = [torch.ones(nodes, 4, device="cuda") for nodes in (1980, 2000, 1990)]


def train_step(x):
    total.add_(x.sum())


train_step(torch.zeros(1, 4, device="cuda"))  # warms up

# before
for x in batches:
    train_step(x)  # launches each kernel

# after
padded, graph = torch.zeros(2125, 4, device="cuda"), torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    train_step(padded)  # captured once, before training
for x in batches:
    padded[:len(x)].copy_(x)
    padded[len(x):].zero_()
    graph.replay()  # launches all of it at once
