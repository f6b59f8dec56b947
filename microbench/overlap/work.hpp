// A kernel to overlap copies with.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace microbench {

/// Queues x + f(f(...f(x))) with f(y) = y/2 + 1/sqrt(y*y + 1), `rounds` deep, for each of n > 0 floats in
/// device memory. The rounds set how long the kernel takes: it reads and writes each value once, however many
/// there are. Rounded as IEEE 754 asks, so that the host can compute the same bits.
cudaError_t queue_work(float* values, std::size_t n, int rounds, cudaStream_t stream);

/// The same from `in` to `out`, which may lie in mapped host memory.
cudaError_t queue_work(float* out, const float* in, std::size_t n, int rounds, cudaStream_t stream);

}  // namespace microbench
