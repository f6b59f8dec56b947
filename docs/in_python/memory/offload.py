# needs: cuda
# same: gradient
# note: save_on_cpu copies on the current stream and waits; it saves memory and costs time, so use it where the batch would not fit otherwise.
import torch
from torch.autograd.graph import save_on_cpu

torch.manual_seed(2)
model = torch.nn.Sequential(*[torch.nn.Linear(256, 256) for _ in range(16)]).cuda()
batch = torch.randn(64, 256, device="cuda")

# before
loss = model(batch).square().mean()  # keeps all activations on the GPU
gradient, = torch.autograd.grad(loss, [model[0].weight])

# after
with save_on_cpu(pin_memory=True):
    loss = model(batch).square().mean()
gradient, = torch.autograd.grad(loss, [model[0].weight])
