# same: output
# note: It pays most on tensor cores in 16 bits or TF32; an operator without a kernel for this layout may make it slower.
import torch
from torch import nn

model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU())
inputs = torch.randn(2, 3, 8, 8)

# before
output = model(inputs)

# after
model = model.to(memory_format=torch.channels_last)
inputs = inputs.to(memory_format=torch.channels_last)
output = model(inputs)
