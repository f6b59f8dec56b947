// Kernels that do in one pass what operators do in two.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace microbench {

/// Queues out[i] = cos(cos(in[i])) for n > 0 floats in device memory.
cudaError_t queue_cos_cos(float* out, const float* in, std::size_t n, cudaStream_t stream);

/// Planes of `height` x `width` floats, one behind the other; both even and above 0.
struct Planes {
  std::size_t count = 0;
  std::size_t height = 0;
  std::size_t width = 0;
};

/// Queues max(0, the largest of each 2 x 2 values) for all planes; `out` has a quarter of the values of `in`,
/// both in device memory.
cudaError_t queue_relu_max_pool(float* out, const float* in, const Planes& planes, cudaStream_t stream);

}  // namespace microbench
