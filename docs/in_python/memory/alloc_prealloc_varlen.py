# same: weight
# note: It helps where lengths grow in the course of training; in random order the longest come early anyway.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 8).to(device)
weight = model.weight
loss_fn = torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batch_size, longest, width = 4, 32, 8
loader = [(torch.randn(2, batch_size, length, width, device=device)).unbind() for length in (8, 16, 32)]

# before
for inputs, targets in loader:  # asks the driver for new blocks at each new length
    optimizer.zero_grad()
    loss_fn(model(inputs), targets).backward()
    optimizer.step()

# after
inputs = torch.zeros(batch_size, longest, width, device=device)
model(inputs).sum().backward()  # reserves blocks for the longest batch, without a step
for inputs, targets in loader:
    optimizer.zero_grad()  # drops the gradients of the pass above, too
    loss_fn(model(inputs), targets).backward()
    optimizer.step()
