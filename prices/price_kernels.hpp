// The kernels of the price list. Each call queues and returns.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace prices {

/// What the host and the waiting kernel both see: in mapped memory of the host.
struct GateFlags {
  std::uint32_t open = 0;     // written by the host
  std::uint32_t gave_up = 0;  // written by the device
};

/// Queues a kernel that ends when `flags->open` is not 0, or after so many nanoseconds, setting `gave_up`.
cudaError_t queue_gate(GateFlags* flags, std::uint64_t limit_ns, cudaStream_t stream);

/// Queues a kernel that does nothing.
cudaError_t queue_empty(cudaStream_t stream);

/// Queues a = b + s c over n floats of device memory, n a multiple of 4, each array aligned to 16 bytes.
cudaError_t queue_triad(float* a, const float* b, const float* c, float s, std::size_t n,
                        cudaStream_t stream);

/// Queues the writing of the pattern of prices/pattern.hpp into `words` words.
cudaError_t queue_pattern(std::uint32_t* data, std::size_t words, std::uint32_t seed, cudaStream_t stream);

/// Queues the reading of `words` words; adds to `*wrong` the number of those that are not the pattern's.
cudaError_t queue_check(const std::uint32_t* data, std::size_t words, std::uint32_t seed,
                        std::uint32_t* wrong, cudaStream_t stream);

}  // namespace prices
