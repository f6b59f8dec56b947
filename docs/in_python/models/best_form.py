# same: weight
# note: channels_last is for convolutions; a transformer gains from scaled_dot_product_attention and clipping with foreach=True instead.
import torch
from torch import nn
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"
dataset = TensorDataset(torch.randn(16, 3, 4, 4), torch.randint(8, (16, 2, 2)))
model = nn.Conv2d(3, 8, 3).to(device)
weight = model.weight

# before
optimizer = torch.optim.AdamW(model.parameters())
for inputs, targets in DataLoader(dataset, batch_size=8):
    optimizer.zero_grad()
    loss = cross_entropy(model(inputs.to(device)), targets.to(device))
    loss.backward()
    optimizer.step()
    print(loss.item())

# after
model = model.to(memory_format=torch.channels_last)
optimizer = torch.optim.AdamW(model.parameters(), fused=True)
for step, (inputs, targets) in enumerate(DataLoader(dataset, batch_size=8)):
    optimizer.zero_grad()
    inputs = inputs.to(device, memory_format=torch.channels_last)
    loss = cross_entropy(model(inputs), targets.to(device))
    loss.backward(), optimizer.step()
    if step % 50 == 0: print(loss.item())
