# same: outputs
# note: model.eval() switches dropout and batch norm, not autograd: you want both.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 8)).to(device)
inputs = torch.randn(4, 8, device=device)

# before
model.eval()
outputs = model(inputs)  # keeps every layer's output for a backward pass that never comes

# after
model.eval()
with torch.no_grad():
    outputs = model(inputs)
