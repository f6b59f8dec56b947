# same: total
# note: The model must ignore the padding, here by an embedding's padding_idx, elsewhere by a mask.
import torch
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.EmbeddingBag(100, 8, mode="sum", padding_idx=0).to(device)
batches = [torch.randint(1, 100, (4, length), device=device) for length in (5, 70, 33)]
torch.set_grad_enabled(False)
total = torch.zeros((), device=device)

# before
model = torch.compile(model, mode="reduce-overhead", dynamic=False)
for tokens in batches:
    total += model(tokens).sum()  # compiles and captures for each length

# after
model = torch.compile(model, mode="reduce-overhead", dynamic=False)
for tokens in batches:
    padding = -tokens.shape[1] % 64  # rounds the length up to a multiple of 64
    total += model(F.pad(tokens, (0, padding))).sum()  # pads with token 0
