# same: hidden
# note: It saves memory rather than time, and is an error where the backward pass needs the value that is overwritten.
import torch
from torch import nn

x = torch.randn(8, 4)

# before
layers = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4), nn.SELU())
hidden = layers(x)

# after
relu, selu = nn.ReLU(inplace=True), nn.SELU(inplace=True)  # overwrite their input
layers = nn.Sequential(nn.Linear(4, 8), relu, nn.Linear(8, 4), selu)
hidden = layers(x)
