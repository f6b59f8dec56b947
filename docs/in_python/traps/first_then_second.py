# note: On a GPU, let each timed form end with torch.cuda.synchronize().
import statistics
import time

import torch

x = torch.rand(2**20)


def old_form():
    return x.sum()


def new_form():
    return x.sum()


def seconds_of(form):
    start = time.perf_counter()
    form()
    return time.perf_counter() - start


# before
speedup = seconds_of(old_form) / seconds_of(new_form)  # the old one goes first, and pays

# after
ratios = []
for _ in range(10):  # each goes first as often as the other
    ratios.append(seconds_of(old_form) / seconds_of(new_form))
    ratios.append(1 / (seconds_of(new_form) / seconds_of(old_form)))
speedup = statistics.geometric_mean(ratios)
