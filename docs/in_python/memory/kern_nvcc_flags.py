# note: Fast math changes last digits and flushes denormal numbers to zero, so decide on it for one source file and not for a project.
from torch.utils.cpp_extension import load

# before
def build_kernels():
    return load("kernels", ["kernels.cu"], extra_cuda_cflags=["-G"])  # optimizes nothing

# after
def build_kernels():
    return load("kernels", ["kernels.cu"], extra_cuda_cflags=["--use_fast_math"])
