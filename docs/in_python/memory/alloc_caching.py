# note: PyTorch caches by default; the variable is for memory checkers such as compute-sanitizer, and is easily left set.
import os

# before
os.environ["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"  # disables the cache
import torch

# after
os.environ.pop("PYTORCH_NO_CUDA_MEMORY_CACHING", None)  # lets PyTorch cache again
import torch
