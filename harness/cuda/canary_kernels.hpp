#pragma once

#include <cuda_runtime_api.h>

namespace harness::inline cuda {

constexpr unsigned canary_threads = 128;

/// Queues a kernel whose threads each multiply and add `links` times, every time from the result before; it
/// touches memory once: `out` has room for blocks x canary_threads floats.
cudaError_t queue_canary_kernel(float* out, unsigned blocks, int links, cudaStream_t stream);

/// Launches a kernel that does nothing and waits for it: fails where the device's architecture was not built.
cudaError_t run_empty_kernel();

}  // namespace harness::inline cuda
