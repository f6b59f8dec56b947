# same: targets
# note: From the host to the GPU it is a loop over copy_ as well; pack small tensors into one there.
import torch

torch.manual_seed(2)
device = "cuda" if torch.cuda.is_available() else "cpu"
sources = list(torch.randn(256, 1024, device=device))
targets = [torch.empty_like(source) for source in sources]

# before
for target, source in zip(targets, sources):
    target.copy_(source)  # a launch for each

# after
torch._foreach_copy_(targets, sources)  # a launch for many
