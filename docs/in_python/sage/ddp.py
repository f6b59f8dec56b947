# same: weight
# note: In PyTorch Geometric and in DGL wrap the model in DistributedDataParallel; the loader of each rank takes its share of the seeds: input_nodes=seeds.chunk(ranks)[rank], in DGL use_ddp=True; of a partitioned graph DGL's DistNodeDataLoader samples, and asks the other machines for rows.
import os

import torch
import torch.distributed as dist
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel

os.environ.update(RANK="0", WORLD_SIZE="1", LOCAL_RANK="0", MASTER_ADDR="127.0.0.1", MASTER_PORT="0")
model = torch.nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y, seeds, weight = torch.randn(12, 4), torch.randint(3, (12,)), torch.arange(12), model.weight

# before
cross_entropy(model(x[seeds]), y[seeds]).backward()
optimizer.step()

# after
dist.init_process_group()
rank, ranks, model = dist.get_rank(), dist.get_world_size(), DistributedDataParallel(model)
own = seeds.chunk(ranks)[rank]  # this rank's share of the batch
cross_entropy(model(x[own]), y[own]).backward()
optimizer.step()
