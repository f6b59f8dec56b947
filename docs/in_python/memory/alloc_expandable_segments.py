# note: It helps where batch sizes change slightly; up to PyTorch 2.9 name the variable PYTORCH_CUDA_ALLOC_CONF.
import os

# before
import torch  # takes the default: a segment of its own for each large size

# after
os.environ["PYTORCH_ALLOC_CONF"] = "expandable_segments:True"
import torch  # reads the variable, so set it before
