# needs: cuda
# same: on_gpu
# note: Only pinned memory leaves the host free: from ordinary memory the call lasts about as long as the copy.
import torch

pinned_batches = [torch.randn(1024, 1024).pin_memory() for _ in range(8)]

# before
on_gpu = [batch.to("cuda") for batch in pinned_batches]  # waits for each

# after
on_gpu = [batch.to("cuda", non_blocking=True) for batch in pinned_batches]
torch.cuda.synchronize()  # waits once; before it the host may do other work
