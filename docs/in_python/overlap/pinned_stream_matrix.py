# needs: cuda
# same: batch product
import torch

pinned_batch, weights = torch.rand(512, 512).pin_memory(), torch.rand(512, 512, device="cuda")

# before
batch = pinned_batch.to("cuda", non_blocking=True)  # in the product's stream: before it
product = weights @ weights

# after
copy_stream = torch.cuda.Stream()
with torch.cuda.stream(copy_stream):
    batch = pinned_batch.to("cuda", non_blocking=True)  # beside the product
product = weights @ weights
torch.cuda.current_stream().wait_stream(copy_stream)  # before the batch is used
batch.record_stream(torch.cuda.current_stream())
