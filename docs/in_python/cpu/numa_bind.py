# same: total
# note: numactl --cpunodebind=0 --membind=0 python train.py does it from outside, and binds memory too; with one node there is nothing to gain.
import os

import torch

cpus_of_node_0 = os.sched_getaffinity(0)

# before
numbers = torch.ones(1 << 20)  # lies in the memory of the node that writes it first
total = numbers.sum()  # may run on another node by then

# after
os.sched_setaffinity(0, cpus_of_node_0)  # lscpu lists them; before the first operator
numbers = torch.ones(1 << 20)
total = numbers.sum()
