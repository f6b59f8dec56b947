# same: on_gpu
# note: Kernels need no wait; call torch.cuda.synchronize() once before the host changes tensors that are pinned.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
tensors = [torch.randn(1024) for _ in range(1000)]

# before
on_gpu = [tensor.to(device) for tensor in tensors]  # waits for each

# after
on_gpu = [tensor.to(device, non_blocking=True) for tensor in tensors]
