# same: output
# note: Needs PyTorch 2.5 or later; diffusers calls it compile_repeated_blocks(), accelerate compile_regions().
import torch
from torch import nn

blocks = nn.Sequential(*[nn.Sequential(nn.Linear(8, 8), nn.GELU()) for _ in range(12)])
inputs = torch.randn(4, 8)

# before
blocks.compile()  # twelve blocks to trace, to plan and to write code for
output = blocks(inputs)

# after
for block in blocks:
    block.compile()  # the code of the first serves the others
output = blocks(inputs)
