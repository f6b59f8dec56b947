# none: PyTorch has no write-combined memory: pin_memory=True gives pinned memory that the processor caches, which is right for nearly all uses.
