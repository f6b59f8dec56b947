# needs: cuda
# same: host
# note: `.to("cpu", non_blocking=True)` also copies into pinned memory, but wait for the stream before you read the result.
import torch

model, batches = torch.nn.Linear(64, 64, device="cuda"), torch.randn(10, 1024, 64, device="cuda")

# before
for batch in batches:
    host = model(batch).detach().cpu()  # copies into ordinary memory

# after
host = torch.empty(1024, 64, pin_memory=True)  # pin once, before the loop
for batch in batches:
    host.copy_(model(batch).detach())
