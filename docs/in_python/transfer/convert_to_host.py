# same: total
# note: With non_blocking=True in both, today's PyTorch does the same for one call; wait for the stream before the host reads.
import torch

torch.manual_seed(2)
x = torch.randn(4096, device="cuda" if torch.cuda.is_available() else "cpu")

# before
half = x.to("cpu", torch.float16)  # all bytes cross the link, and the host converts
total = half.float().sum()

# after
half = x.to(torch.float16).to("cpu", non_blocking=True)  # half the bytes, pinned
if x.is_cuda: torch.cuda.current_stream().synchronize()
total = half.float().sum()
