# needs: cuda
# note: Several buffers used in turn, each with an event, let the host run ahead; without events they only hide the mistake longer.
import torch

batches = torch.rand(8, 2**20)

# before
buffer, on_gpu = torch.empty(2**20, pin_memory=True), []
for batch in batches:
    buffer.copy_(batch)  # overwrites what the last copy may still read
    on_gpu.append(buffer.to("cuda", non_blocking=True))

# after
buffer, on_gpu, sent = torch.empty(2**20, pin_memory=True), [], torch.cuda.Event()
for batch in batches:
    sent.synchronize()  # returns at once where nothing was recorded
    buffer.copy_(batch)
    on_gpu.append(buffer.to("cuda", non_blocking=True))
    sent.record()
