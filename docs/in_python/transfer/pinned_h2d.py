# needs: cuda
# same: on_gpu
# note: A DataLoader with pin_memory=True puts batches into pinned memory for you; memory that is sent once is not worth pinning.
import torch

# before
host = torch.empty(1024, 1024)
for step in range(10):
    host.fill_(step)  # stands for reading the next batch into it
    on_gpu = host.to("cuda")

# after
host = torch.empty(1024, 1024, pin_memory=True)  # pin once, before the loop
for step in range(10):
    host.fill_(step)  # stands for reading the next batch into it
    on_gpu = host.to("cuda")
