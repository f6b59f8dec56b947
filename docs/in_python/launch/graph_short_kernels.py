# needs: cuda
# same: values
# note: torch.compile(model, mode="reduce-overhead") does this without a line of capture code.
import torch

values = torch.zeros(1024, device="cuda")
values.add_(0)  # loads the kernel before a capture

# before
for _ in range(1000):
    for _ in range(20):
        values.add_(1)  # launches each kernel from Python

# after
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):  # records the 20 launches without running them
    for _ in range(20):
        values.add_(1)
for _ in range(1000):
    graph.replay()  # launches all 20 by one call
