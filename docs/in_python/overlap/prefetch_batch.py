# needs: cuda
# same: losses
# note: A step that reads a value back, as .item() does, waits before the next copy is queued, and hides nothing.
import torch

model = torch.nn.Linear(64, 64, device="cuda")
pinned_batches = [torch.rand(256, 64).pin_memory() for _ in range(4)]
losses = []


def train(batch):
    losses.append(model(batch).square().mean().detach())


# before
for pinned_batch in pinned_batches:
    train(pinned_batch.to("cuda", non_blocking=True))

# after
copy_stream, batch = torch.cuda.Stream(), pinned_batches[0].to("cuda")
for pinned_batch in pinned_batches[1:]:
    train(batch)  # only queues its work
    with torch.cuda.stream(copy_stream):
        batch = pinned_batch.to("cuda", non_blocking=True)  # arrives meanwhile
    torch.cuda.current_stream().wait_stream(copy_stream)
    batch.record_stream(torch.cuda.current_stream())
train(batch)
