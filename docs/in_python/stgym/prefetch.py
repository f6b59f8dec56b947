# needs: cuda
# same: total
# note: Where the data set fits on the device, move all of it there once instead.
import torch

features, batches = torch.arange(1000.0), [(0, 300), (300, 650), (650, 1000)]
total = torch.zeros((), device="cuda")


def train_step(x):
    total.add_(x.sum())


# before
for first, last in batches:
    x = features[first:last].to("cuda")  # from pageable memory: the host waits
    train_step(x)

# after
pinned, copies, x = features.pin_memory(), torch.cuda.Stream(), None
for first, last in [*batches, (0, 0)]:  # the last round trains only
    torch.cuda.current_stream().wait_stream(copies)  # for x, copied in the round before
    with torch.cuda.stream(copies):  # copies beside the training of x
        following = pinned[first:last].to("cuda", non_blocking=True)
    following.record_stream(torch.cuda.current_stream())  # holds its memory as long
    if x is not None: train_step(x)
    x = following
