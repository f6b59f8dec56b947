# needs: cuda
import torch

weights, work_stream = torch.rand(2048, 2048, device="cuda"), torch.cuda.Stream()
begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
torch.cuda.synchronize()

# before
begin.record()  # in the current stream, which has nothing to do
with torch.cuda.stream(work_stream):
    product = weights @ weights
end.record()
end.synchronize()
milliseconds = begin.elapsed_time(end)

# after
with torch.cuda.stream(work_stream):
    begin.record()  # in the stream of the work
    product = weights @ weights
    end.record()
end.synchronize()
milliseconds = begin.elapsed_time(end)
