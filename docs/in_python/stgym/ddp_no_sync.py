# same: weight
# note: Clip and read gradients after the second part only: before it each rank has its own.
import torch
import torch.distributed as dist
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel

if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
layer = torch.nn.Linear(4, 3)
model, weight = DistributedDataParallel(layer), layer.weight
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
(first, first_labels), (second, second_labels) = [
    (torch.randn(8, 4), torch.randint(3, (8,))) for _ in range(2)]

# before
(cross_entropy(model(first), first_labels) / 2).backward()  # exchanges all gradients
(cross_entropy(model(second), second_labels) / 2).backward()  # and again
optimizer.step()

# after
with model.no_sync():  # adds up on each rank
    (cross_entropy(model(first), first_labels) / 2).backward()
(cross_entropy(model(second), second_labels) / 2).backward()  # exchanges the sum
optimizer.step()
