# same: attended
# note: On a GPU flash attention and cuDNN's take 16-bit types only; is_causal=True takes the place of a causal mask.
import math

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
query, key, value = torch.randn(3, 1, 2, 16, 8, dtype=torch.float64, device=device)

# before
scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
attended = scores.softmax(dim=-1) @ value  # writes and reads all n x n scores

# after
attended = torch.nn.functional.scaled_dot_product_attention(query, key, value)
