# same: rows columns
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
assignment = torch.rand(100, 20, device=device)

# before
nodes, clusters = assignment.shape
rows = torch.arange(nodes).repeat(clusters, 1).T.to(assignment.device)  # made on the host
columns = torch.arange(clusters).repeat(nodes, 1).to(assignment.device)  # and copied

# after
nodes, clusters = assignment.shape
rows = torch.arange(nodes, device=assignment.device).repeat(clusters, 1).T
columns = torch.arange(clusters, device=assignment.device).repeat(nodes, 1)
