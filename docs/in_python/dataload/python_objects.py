# same: names
# note: A list of tensors is a list of objects too. Give the data set such arrays, and let __getitem__ cut one text out.
import torch

paths = [f"images/{i}.jpg" for i in range(1000)]
texts = [path.encode() for path in paths]

# before
names = [path for path in paths]  # each look at one writes to its count of references

# after
text = torch.frombuffer(bytearray(b"".join(texts)), dtype=torch.uint8)  # one object
ends = torch.tensor([0] + [len(each) for each in texts]).cumsum(0)  # another
names = [bytes(text[a:b].tolist()).decode() for a, b in zip(ends, ends[1:])]
