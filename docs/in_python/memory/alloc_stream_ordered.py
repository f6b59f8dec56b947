# note: PyTorch's own cache, the default, spares the waits just as well; up to PyTorch 2.9 name the second variable PYTORCH_CUDA_ALLOC_CONF.
import os

# before
os.environ["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"  # calls cudaMalloc for every tensor
import torch

# after
os.environ["PYTORCH_ALLOC_CONF"] = "backend:cudaMallocAsync"
import torch  # reads the variable, so set it before
