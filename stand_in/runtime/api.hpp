// Opens every file that defines functions of the runtime: what CUDA's header declares is exported.
#pragma once

#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
#pragma GCC visibility pop
