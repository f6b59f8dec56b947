# same: logits
import torch

nodes, clusters = 30, 4
assignment, features = torch.rand(nodes, clusters), torch.randn(nodes, 8)
adjacency, classifier = torch.rand(nodes, nodes).round(), torch.nn.Linear(8, 2)

# before
pooled = assignment.T @ features
edges = (assignment.T @ adjacency @ assignment).nonzero()  # nothing reads it, yet it waits
logits = classifier(pooled)

# after
pooled = assignment.T @ features
logits = classifier(pooled)
