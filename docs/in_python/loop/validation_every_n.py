# same: validation_loss
# note: The best parameters may lie between two looks.
import torch

weight = torch.ones(1)


def train_epoch():
    weight.mul_(0.9)


def validate():
    return weight.item()


# before
for epoch in range(1, 11):
    train_epoch()
    validation_loss = validate()

# after
for epoch in range(1, 11):
    train_epoch()
    if epoch % 5 == 0:
        validation_loss = validate()
