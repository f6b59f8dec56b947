# needs: cuda
# same: loss
# note: train_step must not read a value back, each batch has the same size, AdamW is made with capturable=True, and the three warm-up steps train as well.
import torch
from torch.nn.functional import mse_loss

model = torch.nn.Linear(4, 1).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.0, capturable=True)
loader = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(5)]


def train_step(inputs, targets):
    optimizer.zero_grad()
    loss = mse_loss(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.detach()


# before
for inputs, targets in loader:
    loss = train_step(inputs.to("cuda"), targets.to("cuda"))  # launches hundreds of kernels

# after
inputs, targets = (part.to("cuda") for part in next(iter(loader)))
graph, side = torch.cuda.CUDAGraph(), torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side): [train_step(inputs, targets) for _ in range(3)]  # warms up
with torch.cuda.graph(graph): loss = train_step(inputs, targets)  # records, runs nothing
for batch in loader:
    inputs.copy_(batch[0]), targets.copy_(batch[1])  # to the addresses that it knows
    graph.replay()  # launches all of it at once
