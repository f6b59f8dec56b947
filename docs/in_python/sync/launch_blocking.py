# note: In a shell: `unset CUDA_LAUNCH_BLOCKING`, also in start-up files and job scripts; set it for a single run that hunts an error.
import torch

# before
import os

os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # left over from debugging

# after
import os

os.environ.pop("CUDA_LAUNCH_BLOCKING", None)  # before the first use of CUDA
