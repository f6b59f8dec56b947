# note: Since PyTorch 2.9, on GPUs from Ampere on; before it, torch.set_float32_matmul_precision("high") does it for products, and scripts should not mix both ways.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
a, b = torch.randn(64, 64, device=device), torch.randn(64, 64, device=device)

# before
torch.backends.cuda.matmul.fp32_precision = "ieee"  # the default for products
torch.backends.cudnn.conv.fp32_precision = "ieee"  # not the default: that is TF32
product = a @ b

# after
torch.backends.cuda.matmul.fp32_precision = "tf32"  # keeps 11 bits of each factor
torch.backends.cudnn.conv.fp32_precision = "tf32"
product = a @ b
