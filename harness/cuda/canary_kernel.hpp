#pragma once

#include <cuda_runtime_api.h>

namespace harness::inline cuda {

constexpr unsigned canary_threads = 128;

/// Queues a kernel whose threads each multiply and add `links` times, every time from the result before; it
/// touches memory once: `out` has room for blocks x canary_threads floats.
cudaError_t queue_canary_kernel(float* out, unsigned blocks, int links, cudaStream_t stream);

}  // namespace harness::inline cuda
