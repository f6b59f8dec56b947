# needs: cuda
# note: It needs compute capability 8.9 or above and sizes that are multiples of 16; torchao converts whole models: `convert_to_float8_training(model)`. Since PyTorch 2.10 there is a public torch.nn.functional.scaled_mm.
import torch

a, b = torch.randn(2, 4096, 4096, device="cuda", dtype=torch.bfloat16)

# before
product = a @ b.t()

# after
def scaled(x):
    scale = x.abs().amax().float() / 448  # the largest float8_e4m3fn
    return (x / scale).to(torch.float8_e4m3fn), scale


if torch.cuda.get_device_capability() >= (8, 9):
    (a8, of_a), (b8, of_b) = scaled(a), scaled(b)
    product = torch._scaled_mm(a8, b8.t(), of_a, of_b, out_dtype=torch.bfloat16)
