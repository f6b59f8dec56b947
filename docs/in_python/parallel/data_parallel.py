# same: weight
# note: Start it with torchrun --nproc-per-node=2 train.py, and give each rank its shard of the data; on GPUs also call torch.cuda.set_device(int(os.environ["LOCAL_RANK"])).
import os

import torch
from torch import nn
from torch.nn.functional import mse_loss

os.environ.update(RANK="0", WORLD_SIZE="1", LOCAL_RANK="0", MASTER_ADDR="127.0.0.1", MASTER_PORT="0")
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets, weight = torch.randn(8, 4), torch.randn(8, 1), model.weight

# before
model = nn.DataParallel(model)  # a thread and a replica for each GPU, in one process
mse_loss(model(inputs), targets).backward()
optimizer.step()

# after
torch.distributed.init_process_group()  # in each of torchrun's processes
model = nn.parallel.DistributedDataParallel(model)
mse_loss(model(inputs), targets).backward()
optimizer.step()
