# none: The allocator is chosen before Python starts: install tcmalloc or jemalloc, and run LD_PRELOAD=libtcmalloc_minimal.so.4 python train.py, or with libjemalloc.so.2.
