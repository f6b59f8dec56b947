# needs: cuda
# same: total
# note: Shapes and addresses stay as they were captured, and all ranks must replay together.
import torch
import torch.distributed as dist

if not dist.is_initialized():
    dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
total = torch.zeros(1 << 14, device="cuda")
dist.all_reduce(total)  # has NCCL set up its connections


# before
for _ in range(32):
    total += 1
    dist.all_reduce(total)  # each rank's host queues each exchange
    total /= dist.get_world_size()

# after
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):  # records, and runs nothing yet
    for _ in range(32):
        total += 1
        dist.all_reduce(total)
        total /= dist.get_world_size()
graph.replay()  # in each step
