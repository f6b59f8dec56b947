# same: norms
# note: Expect no gain: to_dense() of a dense tensor returns that tensor.
import torch

matrix = torch.rand(20, 20)

# before
norms = matrix.square().sum(1).to_dense().sqrt()

# after
norms = matrix.square().sum(1).sqrt()
