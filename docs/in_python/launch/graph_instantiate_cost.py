# needs: cuda
# same: values
# note: For work that runs only a few times, or with new shapes each time, do without a graph. Until pull request 158193 (2025) each capture collected Python's garbage first, which TORCH_CUDAGRAPH_GC=1 brings back.
import torch

values = torch.zeros(1024, device="cuda")
values.add_(0)  # loads the kernel before a capture

# before
for _ in range(100):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):  # captures for a single launch
        values.add_(1)
    graph.replay()

# after
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):  # captures once
    values.add_(1)
for _ in range(100):
    graph.replay()
