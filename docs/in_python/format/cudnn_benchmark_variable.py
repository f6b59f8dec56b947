# same: features
# note: Where the same few shapes come back again and again, True pays after the first epoch.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
conv = torch.nn.Conv2d(8, 8, kernel_size=1, bias=False).to(device)
conv.weight.data.copy_(torch.randint(-4, 5, conv.weight.shape))  # whole numbers: exact in any algorithm
batches = [torch.randint(-4, 5, (2, 8, side, side), device=device).float() for side in (5, 6, 7)]

# before
torch.backends.cudnn.benchmark = True
for images in batches:  # has images of another size in each batch
    features = conv(images)  # searches anew for each size

# after
torch.backends.cudnn.benchmark = False  # restores the default
for images in batches:
    features = conv(images)  # searches for nothing
