# needs: cuda
# same: x
# note: In PyTorch Geometric keep data.x = data.x.to("cuda") outside of the loader's data and index it with batch.n_id; in DGL g.ndata["feat"] may lie on the GPU while the sampler works on the host.
import torch

torch.manual_seed(2)
features, nodes = torch.randn(1000, 100), torch.randint(1000, (64,))

# before
x = features[nodes].to("cuda")  # 400 bytes a node over the link

# after
on_device = features.to("cuda")  # once, before training
x = on_device[nodes.to("cuda")]  # 8 bytes a node
