# needs: cuda
# same: total
# note: A tensor may go only after the wait: whatever gets its memory next is queued after it.
import torch

side_stream, total = torch.cuda.Stream(), torch.zeros(2**20, device="cuda")


def add(step):
    x = torch.full((2**20,), float(step), device="cuda")
    side_stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side_stream):
        total.add_(x)
    return x


# before
total.zero_()
for step in range(16):
    add(step).record_stream(side_stream)  # new memory until the host finds it done
torch.cuda.synchronize()

# after
total.zero_()
kept = read = None
for step in range(16):
    x = add(step)
    if read: torch.cuda.current_stream().wait_event(read)  # then the one before may go
    kept, read = x, side_stream.record_event()
torch.cuda.synchronize()
