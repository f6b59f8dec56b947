# same: on_gpu
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
host = torch.randn(1024, 1024)

# before
on_gpu = torch.empty(host.shape, device=device)
for target, row in zip(on_gpu, host):
    target.copy_(row)  # 4 KiB each

# after
on_gpu = torch.empty(host.shape, device=device)
on_gpu.copy_(host)
