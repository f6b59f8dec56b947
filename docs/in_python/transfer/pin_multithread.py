# needs: cuda
# same: on_gpu
# note: It hurts for small or few tensors; in tensordict, `.to("cuda", non_blocking_pin=True)` does the same.
import torch
from concurrent.futures import ThreadPoolExecutor

tensors = [torch.randn(1024, 1024) for _ in range(8)]

# before
on_gpu = [tensor.to("cuda") for tensor in tensors]

# after
with ThreadPoolExecutor(4, initializer=torch.set_num_threads, initargs=(1,)) as pool:
    pinned = pool.map(torch.Tensor.pin_memory, tensors)
    on_gpu = [tensor.to("cuda", non_blocking=True) for tensor in pinned]
