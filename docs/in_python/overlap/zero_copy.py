# none: PyTorch's operators refuse tensors of the host, so use copies on streams; only a kernel of your own (Triton, CUDA C++) can work on a pinned tensor where it lies.
