// A kernel that reads and writes each value once, however often it multiplies it in between.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace microbench {

/// Queues out = in * factor * factor * ..., `repeat` times one after the other, for each of n > 0 floats in
/// device memory. Rounded after each multiplication, so that the host can compute the same bits. The factor
/// is an argument: a compiler that knew it would multiply once by its power.
cudaError_t queue_multiply(const float* in, float* out, std::size_t n, float factor, int repeat,
                           cudaStream_t stream);

/// The same for the values from `begin` to before `end`, on the host. Blocks of values go through the
/// repetitions together, in vector registers as far as the compiler finds them.
inline void multiply(const float* in, float* out, std::size_t begin, std::size_t end, float factor,
                     int repeat) {
  constexpr std::size_t block = 64;
  std::size_t i = begin;
  for (; i + block <= end; i += block) {
    float y[block];
    for (std::size_t j = 0; j < block; ++j) y[j] = in[i + j];
    for (int r = 0; r < repeat; ++r)
      for (std::size_t j = 0; j < block; ++j) y[j] *= factor;
    for (std::size_t j = 0; j < block; ++j) out[i + j] = y[j];
  }
  for (; i < end; ++i) {
    float y = in[i];
    for (int r = 0; r < repeat; ++r) y *= factor;
    out[i] = y;
  }
}

}  // namespace microbench
