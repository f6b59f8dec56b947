# needs: cuda
# same: x
# note: In DGL wrap the features, dgl.graphbolt.gpu_cached_feature(features, max_cache_size_in_bytes), which keeps what was used last; in PyTorch Geometric do it by hand with batch.n_id of each batch.
import torch

torch.manual_seed(2)
features, degrees, nodes = torch.randn(1000, 100), torch.randint(99, (1000,)), torch.arange(0, 999, 9)

# before
x = features[nodes].to("cuda")  # 400 bytes a node over the link

# after
hot = degrees.argsort(descending=True)[:100]  # once, as the next two lines
cache, place = features[hot].to("cuda"), torch.full((1000,), -1)
place[hot] = torch.arange(100)
at, x = place[nodes], torch.empty(len(nodes), 100, device="cuda")
x[(at < 0).to("cuda")] = features[nodes[at < 0]].to("cuda")
x[(at >= 0).to("cuda")] = cache[at[at >= 0].to("cuda")]
