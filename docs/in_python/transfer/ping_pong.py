# same: out
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(256, 256, device=device)

# before
out = x.T.double().float() * 1.5  # to FP64 and back
out = out.T.contiguous() * 1.5
out = out.cpu().to(device).clone() * 1.5

# after
out = x.T * 1.5
out = out.T * 1.5
out = out * 1.5
