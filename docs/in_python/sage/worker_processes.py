# none: the workers of PyTorch's DataLoader, of PyTorch Geometric's NeighborLoader and of DGL's DataLoader (num_workers=2) are processes anyway; DGL's use_prefetch_thread=True gathers in a thread.
