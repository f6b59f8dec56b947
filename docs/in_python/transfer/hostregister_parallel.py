# needs: cuda
# note: The variable is read once, so set it before the program uses CUDA, or in the shell that starts it; up to PyTorch 2.9 name it PYTORCH_CUDA_ALLOC_CONF.
# before
import torch

host = torch.empty(2**27, dtype=torch.uint8, pin_memory=True)

# after
import os

os.environ["PYTORCH_ALLOC_CONF"] = (
    "pinned_use_cuda_host_register:True,pinned_num_register_threads:8")
import torch

host = torch.empty(2**27, dtype=torch.uint8, pin_memory=True)
