# needs: cuda
# same: outputs
# note: It pays for kernels too small to fill the GPU, yet long enough that the host queues them in time; backward uses the same streams.
import torch

x, branches = torch.rand(64, 64, device="cuda"), [torch.nn.Linear(64, 64, device="cuda") for _ in range(4)]

# before
outputs = [branch(x) for branch in branches]

# after
ready, outputs = torch.cuda.current_stream().record_event(), []
streams = [torch.cuda.Stream() for _ in branches]
for branch, stream in zip(branches, streams):
    stream.wait_event(ready)  # x must be there
    with torch.cuda.stream(stream):
        outputs.append(branch(x))
for stream in streams:
    torch.cuda.current_stream().wait_stream(stream)
