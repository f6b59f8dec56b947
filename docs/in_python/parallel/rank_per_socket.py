# same: weight
# note: Start it with torchrun --nproc-per-node=2 train.py, and give each rank its shard of the data; lscpu lists the CPUs of each socket.
import os

import torch
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel

os.environ.update(RANK="0", WORLD_SIZE="1", LOCAL_RANK="0", MASTER_ADDR="127.0.0.1", MASTER_PORT="0")
sockets = [os.sched_getaffinity(0)]
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, targets, weight = torch.randn(8, 4), torch.randn(8, 1), model.weight

# before
torch.set_num_threads(os.cpu_count())  # one process, with threads on all sockets
mse_loss(model(inputs), targets).backward()
optimizer.step()

# after
cpus = sockets[int(os.environ["LOCAL_RANK"])]  # each socket has a set of CPUs
os.sched_setaffinity(0, cpus)  # before the first operator
torch.set_num_threads(len(cpus))
torch.distributed.init_process_group("gloo")
model = DistributedDataParallel(model)
mse_loss(model(inputs), targets).backward()
optimizer.step()
