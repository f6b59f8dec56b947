# note: It changes the arithmetic: of each factor's 24 significant bits 11 are left on an NVIDIA GPU, and 8 on a CPU that multiplies in BF16.
import torch

a, b = torch.randn(64, 64), torch.randn(64, 64)

# before
torch.set_float32_matmul_precision("highest")
product = a @ b

# after
torch.set_float32_matmul_precision("medium")  # TF32 on a GPU, BF16 on a CPU that has it
product = a @ b
