# same: total places repeated
# note: The fixed shape works on all values: where few are selected and what follows is expensive, selecting may win. torch.nonzero_static runs on a GPU since PyTorch 2.7.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
values = torch.arange(100.0, device=device)
mask = values % 2 == 0
counts = mask.long() + 1

# before
total = values[mask].sum()  # each line asks the GPU how many there are
places = mask.nonzero()
repeated = values.repeat_interleave(counts)

# after
total = torch.where(mask, values, 0.0).sum()
places = torch.nonzero_static(mask, size=50)  # where the number is known
repeated = values.repeat_interleave(counts, output_size=150)
