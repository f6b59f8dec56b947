# same: loss
# note: While you hunt a NaN, put the suspicious steps alone under `with torch.autograd.detect_anomaly():`.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 8)).to(device)
inputs = torch.randn(4, 8, device=device)
targets = torch.randn(4, 8, device=device)
loss_fn = torch.nn.MSELoss()

# before
torch.autograd.set_detect_anomaly(True)  # was left from a hunt for a NaN
loss = loss_fn(model(inputs), targets)
loss.backward()  # searches each gradient and waits for the answer

# after
torch.autograd.set_detect_anomaly(False)  # restores the default
loss = loss_fn(model(inputs), targets)
loss.backward()
