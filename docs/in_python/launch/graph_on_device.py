# needs: cuda
# same: outputs
# note: The gaps on the device show only where kernels are short and the host is not the slow one.
import torch

torch.set_grad_enabled(False)
model = torch.nn.Sequential(*[torch.nn.Linear(64, 64) for _ in range(8)]).cuda().eval()
static_inputs = torch.randn(16, 64, device="cuda")
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    model(static_inputs)  # warms up
torch.cuda.synchronize()

# before
outputs = model(static_inputs)  # leaves a gap after each kernel

# after
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    outputs = model(static_inputs)
graph.replay()  # lets the GPU prepare a kernel while the one before runs
