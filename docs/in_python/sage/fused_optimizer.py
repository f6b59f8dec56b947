# same: weight
# note: Python's default on a GPU is the foreach form, so less is left to save there than in C++, where Adam goes parameter by parameter.
import torch
from torch.nn.functional import cross_entropy

model = torch.nn.Linear(4, 3)
x, y, weight = torch.randn(8, 4), torch.randint(3, (8,)), model.weight

# before
optimizer = torch.optim.Adam(model.parameters(), lr=0.003)  # passes over all parameters
cross_entropy(model(x), y).backward()
optimizer.step()

# after
optimizer = torch.optim.Adam(model.parameters(), lr=0.003, fused=True)  # one pass
cross_entropy(model(x), y).backward()
optimizer.step()
