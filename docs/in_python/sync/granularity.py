# needs: cuda
# same: y
import torch

first_stream, second_stream = torch.cuda.Stream(), torch.cuda.Stream()
a = torch.rand(512, 512, device="cuda")
torch.cuda.synchronize()

# before
with torch.cuda.stream(first_stream):
    x = a @ a
torch.cuda.synchronize()  # the host waits for all streams
with torch.cuda.stream(second_stream):
    y = x @ a
second_stream.synchronize()

# after
with torch.cuda.stream(first_stream):
    x = a @ a
second_stream.wait_stream(first_stream)  # waits on the GPU, the host goes on
with torch.cuda.stream(second_stream):
    y = x @ a
second_stream.synchronize()
