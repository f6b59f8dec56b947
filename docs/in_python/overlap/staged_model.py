# note: Calculate before you rewrite a loop: now - staged is the most that four stages can save.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
host, work = torch.rand(256, 256), lambda x: x @ x
batch = host.to(device)

# before
from torch.utils.benchmark import Timer
now = Timer("work(host.to(device))", globals=globals()).timeit(20).mean

# after
from torch.utils.benchmark import Timer
copy = Timer("host.to(device)", globals=globals()).timeit(20).mean
compute = Timer("work(batch)", globals=globals()).timeit(20).mean
staged = max(copy, compute) + min(copy, compute) / 4  # seconds to expect of four stages
