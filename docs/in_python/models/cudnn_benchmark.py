# same: output
# note: It hurts where sizes change from batch to batch, since each new one is tried out, and results may round otherwise from run to run.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Conv2d(3, 8, 3, dtype=torch.float64).to(device)
inputs = torch.randn(2, 3, 8, 8, dtype=torch.float64, device=device)

# before
torch.backends.cudnn.benchmark = False  # the default: goes by rule of thumb
output = model(inputs)

# after
torch.backends.cudnn.benchmark = True  # tries algorithms out at the first call with a shape
output = model(inputs)
