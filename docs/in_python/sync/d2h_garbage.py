# needs: cuda
# note: Toward the GPU nothing can go wrong like this, since the kernels are queued behind the copy.
import torch

scores = torch.rand(2**20, device="cuda")

# before
host_scores = scores.to("cpu", non_blocking=True)
best = host_scores.max().item()  # reads what has not arrived yet

# after
host_scores = scores.to("cpu", non_blocking=True)
torch.cuda.current_stream().synchronize()
best = host_scores.max().item()
