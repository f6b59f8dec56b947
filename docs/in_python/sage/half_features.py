# note: In PyTorch Geometric data.x = data.x.bfloat16() before the loader is made, and batch.x.float() in the loop; in DGL the same with g.ndata["feat"].
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
features, nodes = torch.randn(1000, 100), torch.randint(1000, (64,))

# before
x = features[nodes].to(device)  # 400 bytes a node

# after
half = features.bfloat16()  # once, before training
x = half[nodes].to(device).float()  # 200 bytes a node
