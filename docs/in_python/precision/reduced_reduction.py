# same: product
# note: Both are True by default, so look for a line that set them to False; in FP16 a part above 65504 becomes infinite.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
a = torch.randint(-2, 3, (8, 64), device=device).half()
b = torch.randint(-2, 3, (64, 8), device=device).half()

# before
torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
product = a @ b  # adds up the parts of a split product in FP32

# after
torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = True
torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = True
product = a @ b  # may add them up in the 16-bit type
