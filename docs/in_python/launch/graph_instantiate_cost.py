# needs: cuda
# same: values
# note: For work that runs often, capture once and replay (launch/graph_short_kernels). Until pull request 158193 (2025) each capture collected Python's garbage first, which TORCH_CUDAGRAPH_GC=1 brings back.
import torch

values = torch.zeros(1024, device="cuda")
values.add_(0)  # loads the kernel before a capture

# before
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):  # captures for a single launch
    values.fill_(1)
    values.add_(1)
graph.replay()

# after
values.fill_(1)  # what runs once needs no graph
values.add_(1)
