#pragma once

#include <cuda_runtime_api.h>

namespace harness::inline cuda {

/// Launches a kernel that does nothing and waits for it: fails where the device's architecture was not built.
cudaError_t run_empty_kernel();

}  // namespace harness::inline cuda
