# note: train() returns the validation loss of a whole training, with the same first parameters and batches for both forms; a learning rate ten times too high must fail the same test, or the test finds nothing.
import random


def train(seed, fast):
    return 1 + 0.1 * random.Random(seed).random() + 0.001 * fast


# before
loss = train(seed=1, fast=True)  # faster, and nobody knows whether it has learned as much

# after
from statistics import mean, stdev
ratios = [train(seed, fast=True) / train(seed, fast=False) for seed in range(5)]
error = 2.13 * stdev(ratios) / len(ratios) ** 0.5  # Student's t for five seeds
assert 0.95 < mean(ratios) - error and mean(ratios) + error < 1.05
