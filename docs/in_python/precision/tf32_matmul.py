# same: product
# note: Keep full FP32 for solvers and for sums of small differences; convolutions have a switch of their own. Since PyTorch 2.9 the switch is also called torch.backends.cuda.matmul.fp32_precision ("tf32"); do not use both names.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
a = torch.randint(-8, 9, (64, 64), device=device).float()  # whole numbers: exact in TF32, too
b = torch.randint(-8, 9, (64, 64), device=device).float()

# before
product = a @ b  # multiplies in full FP32, PyTorch's default

# after
torch.set_float32_matmul_precision("high")  # allows TF32, once at the start of the script
product = a @ b
