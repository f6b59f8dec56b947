# same: loss
# note: 0.1 s is the default of tqdm; set_postfix draws at once, unless it is given refresh=False.
import torch

try:
    from tqdm import tqdm
except ImportError:  # tqdm is a package of its own

    def tqdm(batches, mininterval):
        return batches


loader = torch.arange(8.0).split(2)


def train_step(batch):
    return batch.sum()


# before
for step, batch in enumerate(loader, 1):
    loss = train_step(batch)
    print(f"\r{step}/{len(loader)}", end="", flush=True)  # draws in each step

# after
for batch in tqdm(loader, mininterval=0.1):  # draws ten times a second at most
    loss = train_step(batch)
