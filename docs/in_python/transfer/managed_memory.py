# none: PyTorch allocates no managed memory unless you plug in an allocator that does, and .to("cuda", non_blocking=True) from pinned memory already is the copy that wins here.
