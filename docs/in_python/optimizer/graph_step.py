# needs: cuda
# same: weight
# note: Build Adam with capturable=True, and with its learning rate as a tensor if a schedule changes it; take one ordinary step before the capture.
import torch

model = torch.nn.Linear(8, 1).cuda()
weight = model.weight
loss_fn = torch.nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, capturable=True)
loader = [(torch.randn(16, 8, device="cuda"), torch.randn(16, 1, device="cuda")) for _ in range(3)]
loss_fn(model(loader[0][0]), loader[0][1]).backward()
optimizer.step()  # makes its state before a capture

# before
for inputs, targets in loader:
    optimizer.zero_grad()
    loss_fn(model(inputs), targets).backward()
    optimizer.step()  # launches its kernels from Python

# after
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    optimizer.step()  # is recorded, not run
for inputs, targets in loader:
    optimizer.zero_grad(set_to_none=False)  # keeps gradients where the graph reads them
    loss_fn(model(inputs), targets).backward()
    graph.replay()
