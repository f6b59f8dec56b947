# same: total
# note: Threads that compute for the first time later take over the setting, so let the training compute first; DataLoader's thread limits itself.
import queue
import threading

import torch

batches = torch.rand(4, 2**16)

# before
def copy_ahead():
    for batch in batches:
        copies.put(batch.clone())  # on all cores, against the training

copies = queue.Queue(maxsize=2)
threading.Thread(target=copy_ahead).start()
total = sum(copies.get().sum() for _ in batches)

# after
def copy_ahead():
    torch.set_num_threads(1)  # for this thread
    for batch in batches:
        copies.put(batch.clone())

copies = queue.Queue(maxsize=2)
threading.Thread(target=copy_ahead).start()
total = sum(copies.get().sum() for _ in batches)
