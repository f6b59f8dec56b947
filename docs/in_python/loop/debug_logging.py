# same: loss
# note: logger.debug("%s", value) puts off the formatting alone: the value is still computed and read.
import logging

import torch

logger = logging.getLogger("training")
logger.setLevel(logging.WARNING)
model = torch.nn.Linear(4, 4)


def train_step():
    return model.weight.detach().square().sum()


# before
for step in range(50):
    loss = train_step()
    logger.debug(f"step {step}: norm {model.weight.norm().item():.4f}")  # made, and dropped

# after
for step in range(50):
    loss = train_step()
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug(f"step {step}: norm {model.weight.norm().item():.4f}")
