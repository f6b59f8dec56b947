# same: weight
# note: Start it with torchrun --nproc-per-node=2 train.py; a rank with more nodes keeps the others waiting.
import os

import torch
import torch.distributed as dist
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel

os.environ.update(RANK="0", WORLD_SIZE="1", LOCAL_RANK="0", MASTER_ADDR="127.0.0.1", MASTER_PORT="0")
model = torch.nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
graphs = [(torch.randn(nodes, 4), torch.randint(3, (nodes,))) for nodes in (3, 5, 4)]
weight = model.weight

# before
features, labels = map(torch.cat, zip(*graphs))
cross_entropy(model(features), labels).backward()
optimizer.step()

# after
dist.init_process_group()
rank, ranks, model = dist.get_rank(), dist.get_world_size(), DistributedDataParallel(model)
features, labels = map(torch.cat, zip(*graphs[rank::ranks]))  # this rank's graphs
part = len(labels) * ranks / sum(len(labels) for _, labels in graphs)
(part * cross_entropy(model(features), labels)).backward()  # shares differ in their nodes
optimizer.step()
