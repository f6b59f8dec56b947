# note: Timer takes one thread unless it is told otherwise, warms up, and waits for the GPU.
import time

import torch
from torch.utils.benchmark import Timer

weights = torch.rand(128, 128)

# before
start = time.perf_counter()
product = weights @ weights
seconds = time.perf_counter() - start  # whatever it happens to be

# after
timer = Timer("weights @ weights", globals=globals(), num_threads=torch.get_num_threads())
samples = timer.blocked_autorange()
seconds, scatter = samples.median, samples.iqr  # both say something
