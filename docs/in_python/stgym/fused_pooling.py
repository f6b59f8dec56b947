# same: pooled balance
# note: The compiler joins the softmaxes and sums; the products stay the library's, where the step's own CUDA kernel takes them in too.
import torch

logits, features, degree = torch.randn(30, 4), torch.randn(30, 8), torch.rand(30)

# before
soft = logits.softmax(-1).softmax(-1)  # reads and writes [nodes, clusters] again and again
pooled = soft.T @ features
balance = (soft.square().sum(1) * degree).sum()

# after
@torch.compile(dynamic=True)  # one loop for any number of nodes
def pool(logits, features, degree):
    soft = logits.softmax(-1).softmax(-1)
    return soft.T @ features, (soft.square().sum(1) * degree).sum()
pooled, balance = pool(logits, features, degree)
