# needs: cuda
# note: Each new batch likewise must go into the captured tensor, by static_inputs.copy_(batch).
import torch

inputs = torch.ones(1024, device="cuda")
inputs * torch.ones((), device="cuda") + inputs * 1.0  # loads the kernels before a capture

# before
graph = torch.cuda.CUDAGraph()
factor = 1.0
with torch.cuda.graph(graph):
    outputs = inputs * factor  # records the number 1.0
factor = 2.0
graph.replay()  # still multiplies by 1.0

# after
graph = torch.cuda.CUDAGraph()
factor = torch.ones((), device="cuda")
with torch.cuda.graph(graph):
    outputs = inputs * factor  # records the address of the factor
factor.fill_(2.0)
graph.replay()  # multiplies by 2.0
