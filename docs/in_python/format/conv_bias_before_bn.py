# same: features
# note: Linear layers before BatchNorm1d are the same case; before LayerNorm a bias does not cancel.
import torch

torch.set_default_dtype(torch.float64)
images = torch.randn(4, 8, 6, 6)

# before
block = torch.nn.Sequential(
    torch.nn.Conv2d(8, 16, 3, padding=1),  # adds a bias that the next layer takes away
    torch.nn.BatchNorm2d(16),
)
features = block(images)

# after
block = torch.nn.Sequential(
    torch.nn.Conv2d(8, 16, 3, padding=1, bias=False),
    torch.nn.BatchNorm2d(16),  # has a bias of its own
)
features = block(images)
