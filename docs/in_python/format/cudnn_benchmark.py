# same: features
# note: Where shapes keep changing it costs more than it gains, and two runs may choose, and so round, differently.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
conv = torch.nn.Conv2d(8, 8, kernel_size=1, bias=False).to(device)
conv.weight.data.copy_(torch.randint(-4, 5, conv.weight.shape))  # whole numbers: exact in any algorithm
batches = [torch.randint(-4, 5, (2, 8, 6, 6), device=device).float() for _ in range(3)]

# before
for images in batches:
    features = conv(images)  # takes the algorithm that a rule of thumb picks

# after
torch.backends.cudnn.benchmark = True  # once, before the loop
for images in batches:
    features = conv(images)  # times the algorithms at each new shape, once
