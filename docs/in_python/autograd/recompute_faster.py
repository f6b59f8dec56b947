# same: gradient
# note: The compiler decides what its backward kernel computes again; a chain of costly functions may not gain.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(1024, device=device, requires_grad=True)
gradient = x.grad = torch.zeros_like(x)

# before
def chain(x):
    return (x * x + x).relu() * x  # keeps intermediate values for the backward pass

chain(x).sum().backward()

# after
@torch.compile
def chain(x):
    return (x * x + x).relu() * x  # keeps x alone and computes the rest again

chain(x).sum().backward()
