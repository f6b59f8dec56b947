# same: pooled gram
import torch

assignment, features = torch.rand(100, 20), torch.randn(100, 8)

# before
pooled = assignment.T @ features
gram = assignment.T @ assignment
pooled = assignment.T @ features  # pasted once more: nothing shows but the time
gram = assignment.T @ assignment

# after
pooled = assignment.T @ features
gram = assignment.T @ assignment
