# same: samples
# note: A file of torch.save is mapped by `torch.load(path, mmap=True)`; for a GPU, read into one pinned buffer that is kept.
import torch

with open("samples.bin", "wb") as file:
    file.write(bytes(range(256)) * 64)

# before
with open("samples.bin", "rb") as file:  # copies into fresh memory, twice
    samples = torch.frombuffer(bytearray(file.read()), dtype=torch.uint8)

# after
import os

size = os.path.getsize("samples.bin")
samples = torch.from_file("samples.bin", size=size, dtype=torch.uint8)  # maps the file
