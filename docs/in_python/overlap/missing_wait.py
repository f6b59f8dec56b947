# needs: cuda
# note: record_stream keeps the memory until the host finds the sum done; to need no more memory, keep x instead until its own stream waits for side_stream.
import torch

side_stream = torch.cuda.Stream()

# before
x = torch.ones(2**20, device="cuda")
with torch.cuda.stream(side_stream):
    total = x.sum()  # may read x before it is filled
del x  # its memory may be given away while it is read

# after
x = torch.ones(2**20, device="cuda")
side_stream.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side_stream):
    total = x.sum()
x.record_stream(side_stream)  # keeps the memory until the sum is done
del x
