# same: output
# note: For inference only, since the weights become constants; an FP32 Linear still goes to MKL, with bias and ReLU in a loop of their own.
import torch
import torch._inductor.config
from torch import nn

model = nn.Sequential(nn.Conv2d(8, 8, 1), nn.ReLU()).eval()
images = torch.randn(2, 8, 4, 4)

# before
with torch.no_grad():
    output = model(images)

# after
torch._inductor.config.freezing = True  # takes the weights as constants
fused = torch.compile(model)
with torch.no_grad():
    output = fused(images)  # the ReLU is a part of oneDNN's convolution
