# same: gradient
# note: On a GPU the gradients of index_select are added in no fixed order, so the last bits may differ from run to run.
import torch

torch.manual_seed(2)
device = "cuda" if torch.cuda.is_available() else "cpu"
x, index = torch.randn(10, 4, device=device, requires_grad=True), torch.randint(10, (100,), device=device)

# before
gradient, = torch.autograd.grad(x[index].square().sum(), x)

# after
gradient, = torch.autograd.grad(x.index_select(0, index).square().sum(), x)
