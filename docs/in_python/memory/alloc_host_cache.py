# needs: cuda
# same: total
# note: pin_memory() still copies the batch on the calling thread; DataLoader(pin_memory=True) does that in a thread of its own.
import torch

batches = [torch.full((1024,), float(i)) for i in range(4)]
cudart = torch.cuda.cudart()
total = torch.zeros((), device="cuda")

# before
for batch in batches:
    cudart.cudaHostRegister(batch.data_ptr(), batch.nbytes, 0)  # pins it anew
    total += batch.to("cuda", non_blocking=True).sum()
    torch.cuda.synchronize()  # waits for the copy, so that the batch can be unpinned
    cudart.cudaHostUnregister(batch.data_ptr())

# after
for batch in batches:
    pinned = batch.pin_memory()  # takes a pinned block from PyTorch's cache
    total += pinned.to("cuda", non_blocking=True).sum()
