# none: The runtime is chosen before Python starts: install intel-openmp with pip, and run LD_PRELOAD=/path/to/libiomp5.so python train.py.
