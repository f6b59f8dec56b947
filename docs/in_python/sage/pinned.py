# needs: cuda
# same: x
# note: In PyTorch Geometric NeighborLoader(..., pin_memory=True) and batch.to("cuda", non_blocking=True); DGL's DataLoader pins and copies by itself where device="cuda".
import torch

torch.manual_seed(2)
features, nodes = torch.randn(1000, 100), torch.randint(1000, (64,))

# before
x = features[nodes].to("cuda")  # the host waits while the driver copies

# after
rows = torch.empty(64, 100, pin_memory=True)
torch.index_select(features, 0, nodes, out=rows)  # gathered where the device can read it
x = rows.to("cuda", non_blocking=True)
