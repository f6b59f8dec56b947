# same: weight
# note: It takes longer where the whole batch fits; batch normalization sees the pieces and not the batch.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(8, 1).to(device)
weight = model.weight
loss_fn = torch.nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
inputs, targets = torch.randn(32, 8, device=device), torch.randn(32, 1, device=device)

# before
optimizer.zero_grad()
loss = loss_fn(model(inputs), targets)  # holds the activations of the whole batch
loss.backward()
optimizer.step()

# after
pieces = 4
optimizer.zero_grad()
for some_inputs, some_targets in zip(inputs.chunk(pieces), targets.chunk(pieces)):
    loss = loss_fn(model(some_inputs), some_targets)  # the mean over the piece
    loss = loss * len(some_inputs) / len(inputs)  # chunk may make pieces of other sizes
    loss.backward()  # adds to the gradients that are there
optimizer.step()
