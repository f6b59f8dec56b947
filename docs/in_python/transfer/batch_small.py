# same: on_gpu
# note: Better still, have the code that makes the pieces write them into one pinned tensor.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
pieces = [torch.randn(1 + i % 16) for i in range(1000)]

# before
on_gpu = [piece.to(device) for piece in pieces]

# after
packed = torch.cat(pieces).to(device)  # one copy
on_gpu = packed.split([len(piece) for piece in pieces])  # views, no further copy
