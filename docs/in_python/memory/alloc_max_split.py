# note: A last resort against running out of memory with many inactive split blocks; up to PyTorch 2.9 name the variable PYTORCH_CUDA_ALLOC_CONF.
import os

# before
import torch  # takes the default: splits blocks of any size

# after
os.environ["PYTORCH_ALLOC_CONF"] = "max_split_size_mb:128"
import torch  # reads the variable, so set it before
