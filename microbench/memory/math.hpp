// One kernel, built three times with different flags.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace microbench {

/// Queues out = in + f(f(...f(in))) with f(y) = sin(y) + exp(-y * y), `rounds` deep, for each of n > 0 floats
/// on the device; with 0 rounds a copy. The three differ in the flags of the compiler only.
cudaError_t queue_math_plain(float* out, const float* in, std::size_t n, int rounds, cudaStream_t stream);
cudaError_t queue_math_fast(float* out, const float* in, std::size_t n, int rounds, cudaStream_t stream);
cudaError_t queue_math_debug(float* out, const float* in, std::size_t n, int rounds, cudaStream_t stream);

}  // namespace microbench
