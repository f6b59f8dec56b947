# same: product
# note: Since PyTorch 2.7, for inference on consumer GPUs; a sum above 65504 becomes infinite, and training rarely survives the errors.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
a = torch.randint(-2, 3, (8, 64), device=device).half()
b = torch.randint(-2, 3, (64, 8), device=device).half()

# before
product = a @ b  # adds FP16 products up in FP32, PyTorch's default

# after
torch.backends.cuda.matmul.allow_fp16_accumulation = True
product = a @ b  # adds them up in FP16
