# note: Up to a fifth of a block stays unused; up to PyTorch 2.9 name the variable PYTORCH_CUDA_ALLOC_CONF.
import os

# before
import torch  # takes the default: above 10 MiB a request for each new 2 MiB

# after
os.environ["PYTORCH_ALLOC_CONF"] = "roundup_power2_divisions:4"
import torch  # reads the variable, so set it before
