# none: PyTorch's operators refuse tensors of the host, so send them with .to("cuda", non_blocking=True); only a kernel of your own (Triton, CUDA C++) can read a pinned tensor where it lies.
