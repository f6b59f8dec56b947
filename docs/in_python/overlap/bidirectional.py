# needs: cuda
# same: arrived pinned_out
import torch

result = torch.rand(2**20, device="cuda")
pinned_in, pinned_out = torch.rand(2**20).pin_memory(), torch.empty(2**20, pin_memory=True)

# before
arrived = pinned_in.to("cuda", non_blocking=True)
pinned_out.copy_(result, non_blocking=True)
torch.cuda.synchronize()

# after
out_stream = torch.cuda.Stream()
out_stream.wait_stream(torch.cuda.current_stream())  # the result must be there
with torch.cuda.stream(out_stream):
    pinned_out.copy_(result, non_blocking=True)
arrived = pinned_in.to("cuda", non_blocking=True)
torch.cuda.synchronize()
