# same: loss
# note: The products stay the library's: the step's kernel, which keeps a node in registers through all layers, is CUDA C++ of its own.
import torch
from torch import nn
from torch.nn.functional import cross_entropy

clusters, labels = torch.rand(30, 20), torch.randint(3, (30,))

# before
classifier = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 3))
loss = cross_entropy(classifier(clusters), labels)
loss.backward()

# after
classifier = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 3))
@torch.compile(dynamic=True)  # joins what lies between the products, forward and backward
def loss_of(clusters, labels):
    return cross_entropy(classifier(clusters), labels)
loss = loss_of(clusters, labels)
loss.backward()
