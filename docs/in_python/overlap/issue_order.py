# needs: cuda
# same: pinned_out
# note: The order changes nothing since compute capability 3.5, so write the loop that reads best.
import torch

pinned_in, pinned_out = torch.rand(2**20).pin_memory(), torch.empty(2**20, pin_memory=True)
streams = [torch.cuda.Stream() for _ in range(4)]

# before
for stream, source, target in zip(streams, pinned_in.chunk(4), pinned_out.chunk(4)):
    with torch.cuda.stream(stream):
        part = source.to("cuda", non_blocking=True)
        target.copy_(part.sqrt(), non_blocking=True)
torch.cuda.synchronize()

# after
parts = []
for stream, source in zip(streams, pinned_in.chunk(4)):  # all copies in
    with torch.cuda.stream(stream):
        parts.append(source.to("cuda", non_blocking=True))
for stream, part, target in zip(streams, parts, pinned_out.chunk(4)):  # then the rest
    with torch.cuda.stream(stream):
        target.copy_(part.sqrt(), non_blocking=True)
torch.cuda.synchronize()
