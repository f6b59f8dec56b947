# note: Where torch.use_deterministic_algorithms(True) asks for the variable, ":4096:8" leaves far more workspace than ":16:8".
import os

# before
os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":0:0"  # saves memory: no workspace
import torch

# after
os.environ.pop("CUBLAS_WORKSPACE_CONFIG", None)  # leaves cuBLAS its usual workspace
import torch
