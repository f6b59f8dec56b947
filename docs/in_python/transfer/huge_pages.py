# same: total
# note: Python's mmap gives memory that can be advised; torch.empty asks for huge pages itself with THP_MEM_ALLOC_ENABLE=1 in the environment.
import mmap

import torch

size = 64 * 2**20

# before
memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
host = torch.frombuffer(memory, dtype=torch.float32).fill_(1)  # finds 16,384 pages
total = host.sum()

# after
memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
try:
    memory.madvise(mmap.MADV_HUGEPAGE)
except OSError:
    pass  # a system without huge pages
host = torch.frombuffer(memory, dtype=torch.float32).fill_(1)  # finds 32
total = host.sum()
