# same: outputs
# note: Where a profile shows no gaps between the kernels, the host is ahead already and this gains nothing.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Sequential(*[torch.nn.Linear(8, 8) for _ in range(4)]).to(device).eval()
inputs = torch.randn(4, 8, device=device)
torch.set_grad_enabled(False)

# before
outputs = model(inputs)  # queues small operators one by one: the GPU waits for the host

# after
model = torch.compile(model, mode="reduce-overhead")  # records a CUDA graph and replays it
outputs = model(inputs)
