# same: gradient
# note: Fewer, larger steps converge differently, so the learning rate may have to change with the batch.
import torch
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"
dataset = TensorDataset(torch.rand(256, 16))
model = torch.nn.Linear(16, 1, device=device)

# before
for (batch,) in DataLoader(dataset, batch_size=8):
    model(batch.to(device)).square().sum().backward()
gradient = model.weight.grad

# after
for (batch,) in DataLoader(dataset, batch_size=64):
    model(batch.to(device)).square().sum().backward()
gradient = model.weight.grad
