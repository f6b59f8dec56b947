# same: vectors
# note: Check that the values fit; an operator that wants 64 bits can be given `.long()` on the GPU.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
token_ids = [i % 2000 for i in range(4096)]
embedding = torch.nn.Embedding(2000, 16, device=device)

# before
tokens = torch.tensor(token_ids)  # 64 bits each
vectors = embedding(tokens.to(device))

# after
tokens = torch.tensor(token_ids, dtype=torch.int32)
vectors = embedding(tokens.to(device))
