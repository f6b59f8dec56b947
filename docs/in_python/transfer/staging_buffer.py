# needs: cuda
# same: on_gpu
# note: Measure both: staging may win where several cores fill the buffer faster than the driver's one thread fills its own.
import torch

batch = torch.randn(1024, 1024)

# before
staging = torch.empty(batch.shape, pin_memory=True)
staging.copy_(batch)
on_gpu = staging.to("cuda")

# after
on_gpu = batch.to("cuda")
