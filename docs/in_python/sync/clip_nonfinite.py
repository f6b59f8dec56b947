# same: gradients
# note: error_if_nonfinite is False unless it is set; read `sound` every N steps, for example where the loss is logged.
import torch
from torch.nn.utils import clip_grad_norm_

torch.manual_seed(2)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 8, device=device)
batches = torch.randn(4, 16, 8, device=device)

# before
for batch in batches:
    model.zero_grad()
    model(batch).square().sum().backward()
    clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)  # waits in each step
gradients = [parameter.grad for parameter in model.parameters()]

# after
sound = torch.ones((), dtype=torch.bool, device=device)
for batch in batches:
    model.zero_grad()
    model(batch).square().sum().backward()
    sound &= clip_grad_norm_(model.parameters(), 1.0).isfinite()  # stays on the GPU
if not sound: raise RuntimeError("a gradient was not finite")  # waits once
gradients = [parameter.grad for parameter in model.parameters()]
