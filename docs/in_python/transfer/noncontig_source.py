# same: on_gpu
# note: A transposed matrix needs no help: its values lie in one block, and PyTorch sends that.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
table = torch.randn(1024, 512)

# before
for epoch in range(3):
    on_gpu = table[:, ::2].to(device)  # the processor gathers the values each time

# after
features = table[:, ::2].contiguous()  # gathered once
for epoch in range(3):
    on_gpu = features.to(device)
