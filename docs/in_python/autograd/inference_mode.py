# same: outputs
# note: Keep no_grad where a result may take part in autograd later: tensors made in inference mode refuse that.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 8)).to(device)
inputs = torch.randn(4, 8, device=device)

# before
with torch.no_grad():
    outputs = model(inputs)  # still counts versions and keeps the bases of views

# after
with torch.inference_mode():
    outputs = model(inputs)
