# note: PyTorch's products pick no rows, so the chosen ones are copied first; the step's products are CUDA kernels of CUTLASS's parts. It changes the arithmetic: BF16 keeps 8 significant digits.
import torch

features, weight, chosen = torch.randn(100, 64), torch.randn(16, 64, requires_grad=True), torch.arange(10, 30)

# before
for step in range(3):
    product = features[chosen] @ weight.t()

# after
half = features.bfloat16()  # once, before the loop
for step in range(3):
    product = (half[chosen] @ weight.bfloat16().t()).float()  # the weight itself stays FP32
