# same: loss
# note: It costs the arithmetic of rows that do not count; for cross_entropy, `labels.masked_fill(~mask, -100)` alone does the same.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
logits = torch.randn(256, 16, device=device, requires_grad=True)
labels = torch.arange(256, device=device) % 16
mask = torch.arange(256, device=device) % 4 == 0

# before
loss = torch.nn.functional.cross_entropy(logits[mask], labels[mask])  # waits for the shape

# after
each = torch.nn.functional.cross_entropy(logits, labels, reduction="none")
loss = (each * mask).sum() / mask.sum()
