# same: losses
# note: gc.freeze() after loading takes the data set out of all later walks as well; cycles made meanwhile live longer. In Python 3.14.0 to 3.14.4 gc.collect(1) looks at a part of the old objects as well.
import gc

loader = [[{"value": i}] for i in range(100)]


def train_step(batch):
    return batch[0]["value"]


# before
losses = []
for step, batch in enumerate(loader):  # Python looks for garbage whenever it likes
    losses.append(train_step(batch))

# after
gc.disable()
losses = []
for step, batch in enumerate(loader):
    losses.append(train_step(batch))
    if step % 50 == 0:
        gc.collect(1)  # looks at the young objects, on all ranks in the same step
