# same: log
# note: TensorBoard's SummaryWriter also writes from a thread of its own, but its add_scalar reads a tensor's value at once.
from concurrent.futures import ThreadPoolExecutor

import torch


class Log(list):  # what was written
    write = list.append


log, losses = Log(), iter(torch.linspace(1, 0, 200))


def train_step():
    return next(losses)


# before
for step in range(200):
    loss = train_step().detach()
    if step % 10 == 0:
        log.write(f"{step},{loss.item():.6f}\n")  # makes the loop wait

# after
writer = ThreadPoolExecutor(max_workers=1)
for step in range(200):
    loss = train_step().detach()
    if step % 10 == 0:  # makes the other thread wait
        writer.submit(lambda step=step, loss=loss: log.write(f"{step},{loss.item():.6f}\n"))
writer.shutdown()  # waits for the last lines
