# none: PyTorch has no call that sets part of the L2 cache aside; from Python, the cuda-python package reaches CUDA's own, cudaStreamSetAttribute.
