# same: samples
# note: What is random in each epoch stays in the epoch; decoded images may be so large that reading them takes longer.
import csv

import torch

with open("samples.csv", "w") as file:
    csv.writer(file).writerows(torch.rand(64, 16).tolist())


def parse(path):
    with open(path, newline="") as file:
        return torch.tensor([[float(text) for text in row] for row in csv.reader(file)])


# before
for epoch in range(3):
    samples = parse("samples.csv")

# after
torch.save(parse("samples.csv"), "samples.pt")  # once, before the training
for epoch in range(3):
    samples = torch.load("samples.pt", mmap=True)
