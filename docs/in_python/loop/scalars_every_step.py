# same: log
# note: The file lags behind by up to 50 steps, and a process that dies takes those lines with it.
import torch


class Log(list):  # what was written
    write, writelines = list.append, list.extend

    def flush(self):
        pass


log, losses = Log(), iter(torch.linspace(1, 0, 100))


def train_step():
    return next(losses)


# before
for step in range(100):
    loss = train_step()
    log.write(f"{step},{loss.item():.6f}\n")  # waits for the GPU in each step
    log.flush()

# after
kept = []
for step in range(100):
    kept.append(train_step().detach())
    if len(kept) == 50:
        values = torch.stack(kept).tolist()  # waits once in 50 steps
        log.writelines(f"{step - 49 + i},{value:.6f}\n" for i, value in enumerate(values))
        log.flush()
        kept.clear()
