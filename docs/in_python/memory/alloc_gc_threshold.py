# needs: cuda
# note: It matters only near the limit, which the process must have; up to PyTorch 2.9 name the variable PYTORCH_CUDA_ALLOC_CONF.
import os

# before
import torch
torch.cuda.set_per_process_memory_fraction(0.9)  # frees the whole cache at the limit

# after
os.environ["PYTORCH_ALLOC_CONF"] = "garbage_collection_threshold:0.8"
import torch  # reads the variable, so set it before
torch.cuda.set_per_process_memory_fraction(0.9)  # frees old blocks above 80 % of it
