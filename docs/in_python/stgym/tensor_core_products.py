# note: PyTorch's products pick no rows, so the chosen ones are copied first; the step's products are CUDA kernels of CUTLASS's parts. It changes the arithmetic: TF32 keeps 11 significant digits.
import torch

features, weight, chosen = torch.randn(100, 64), torch.randn(16, 64), torch.arange(10, 30)

# before
torch.set_float32_matmul_precision("highest")
product = features[chosen] @ weight.t()

# after
torch.set_float32_matmul_precision("high")  # TF32 on a GPU's tensor cores
product = features[chosen] @ weight.t()
