# needs: cuda
# same: total
# note: In PyTorch Geometric wrap the loader, PrefetchLoader(loader, device="cuda"); in DGL DataLoader(..., use_alternate_streams=True).
import torch

features, batches = torch.arange(1000.0), [(0, 300), (300, 650), (650, 1000)]
total = torch.zeros((), device="cuda")


def train_step(x):
    total.add_(x.sum())


# before
for first, last in batches:  # each copy is queued behind the step before
    train_step(features[first:last].pin_memory().to("cuda", non_blocking=True))

# after
copies, x = torch.cuda.Stream(), None
for first, last in [*batches, (0, 0)]:  # the last round trains only
    torch.cuda.current_stream().wait_stream(copies)  # for x, copied in the round before
    with torch.cuda.stream(copies):
        following = features[first:last].pin_memory().to("cuda", non_blocking=True)
    following.record_stream(torch.cuda.current_stream())
    if x is not None: train_step(x)
    x = following
