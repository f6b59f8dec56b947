# needs: cuda
# same: outputs
# note: Mostly it hardly shows, since a copy within the GPU is many times faster than one over the link.
import torch

static_inputs = torch.zeros(1024, device="cuda")
static_inputs * 2  # loads the kernel before the capture
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    outputs = static_inputs * 2
loader = [torch.full((1024,), float(i)).pin_memory() for i in range(3)]

# before
for batch in loader:
    on_device = batch.to("cuda", non_blocking=True)
    static_inputs.copy_(on_device)  # copies a second time
    graph.replay()

# after
for batch in loader:
    static_inputs.copy_(batch, non_blocking=True)  # copies from pinned memory to its place
    graph.replay()
