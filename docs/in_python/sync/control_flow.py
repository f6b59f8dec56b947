# same: weight
# note: The GPU does the work of both branches, so keep the `if` where it saves much or the host waits anyway.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
gradients = [torch.full((64, 64), scale, device=device) for scale in (1.0, float("inf"), 2.0)]

# before
weight = torch.zeros(64, 64, device=device)
for gradient in gradients:
    if gradient.isfinite().all():  # waits for the GPU
        weight.sub_(gradient, alpha=0.1)

# after
weight = torch.zeros(64, 64, device=device)
for gradient in gradients:
    sound = gradient.isfinite().all()  # stays on the GPU
    weight.sub_(torch.where(sound, gradient, 0.0), alpha=0.1)
