# same: features
# note: Keep "ieee" where results must agree to more than three digits; before PyTorch 2.9 the switch is torch.backends.cudnn.allow_tf32. torch.backends.fp32_precision reaches convolutions since PyTorch 2.13.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
conv = torch.nn.Conv2d(8, 8, kernel_size=1, bias=False).to(device)
conv.weight.data.copy_(torch.randint(-4, 5, conv.weight.shape))  # whole numbers: exact in TF32, too
images = torch.randint(-4, 5, (2, 8, 6, 6), device=device).float()

# before
torch.backends.cudnn.conv.fp32_precision = "ieee"  # computes in full FP32
features = conv(images)

# after
torch.backends.cudnn.conv.fp32_precision = "tf32"  # uses tensor cores, the default
features = conv(images)
