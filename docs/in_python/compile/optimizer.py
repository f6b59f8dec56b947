# same: weight
# note: Where the optimizer has fused=True, that needs no compiler; a scheduled rate must be a tensor, as lr=torch.tensor(1e-3), or each new value compiles again.
import torch

model = torch.nn.Linear(4, 4)
weight = model.weight
model(torch.ones(2, 4)).sum().backward()

# before
optimizer = torch.optim.Adam(model.parameters())
optimizer.step()  # seven passes over all parameters

# after
optimizer = torch.optim.Adam(model.parameters())
update = torch.compile(optimizer.step)
update()  # one pass
