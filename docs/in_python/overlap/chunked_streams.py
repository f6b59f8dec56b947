# needs: cuda
# same: pinned_out
# note: It pays for megabytes whose copies and kernels take about equally long.
import torch

pinned_in, pinned_out = torch.rand(2**20).pin_memory(), torch.empty(2**20, pin_memory=True)

# before
x = pinned_in.to("cuda", non_blocking=True)
pinned_out.copy_(x.sqrt(), non_blocking=True)
torch.cuda.synchronize()

# after
streams = [torch.cuda.Stream() for _ in range(4)]
for stream, source, target in zip(streams, pinned_in.chunk(4), pinned_out.chunk(4)):
    with torch.cuda.stream(stream):
        x = source.to("cuda", non_blocking=True)
        target.copy_(x.sqrt(), non_blocking=True)
torch.cuda.synchronize()
