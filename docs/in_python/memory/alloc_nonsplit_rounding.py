# note: It matters only together with max_split_size_mb; up to PyTorch 2.9 name the variable PYTORCH_CUDA_ALLOC_CONF.
import os

# before
os.environ["PYTORCH_ALLOC_CONF"] = "max_split_size_mb:64"
import torch

# after
os.environ["PYTORCH_ALLOC_CONF"] = "max_split_size_mb:64,max_non_split_rounding_mb:1024"
import torch  # reads the variable, so set it before
