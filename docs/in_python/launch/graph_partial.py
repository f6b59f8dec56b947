# needs: cuda
# same: loss gradient
# note: The inputs keep one shape, and autocast around it needs cache_enabled=False.
import torch

backbone = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 8)).cuda()
weight = backbone[0].weight
gradient = weight.grad = torch.zeros_like(weight)
inputs = torch.randn(16, 8, device="cuda")
sample_inputs = torch.randn(16, 8, device="cuda")
mask = inputs[:, 0] > 0

# before
features = backbone(inputs)
loss = features[mask].square().mean()  # has a size that depends on data: no graph holds it
loss.backward()

# after
backbone = torch.cuda.make_graphed_callables(backbone, (sample_inputs,))  # once
features = backbone(inputs)  # replays a graph, and so does its backward pass
loss = features[mask].square().mean()
loss.backward()
