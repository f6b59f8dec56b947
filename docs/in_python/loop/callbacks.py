# same: loss
# note: Expect no gain while the callbacks are empty: look first at what they read, print or check.
import torch


class Callback:
    def on_step_begin(self, step, batch):
        pass

    def on_step_end(self, step, loss):
        pass


callbacks = [Callback() for _ in range(10)]
loader = torch.arange(8.0).split(2)


def train_step(batch):
    return batch.sum()


# before
for step, batch in enumerate(loader):
    for callback in callbacks:
        callback.on_step_begin(step, batch)
    loss = train_step(batch)
    for callback in callbacks:
        callback.on_step_end(step, loss)

# after
for batch in loader:
    loss = train_step(batch)
