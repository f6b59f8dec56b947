// A kernel to overlap copies with.
#pragma once

#include "harness/cuda/launch_work.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>

namespace microbench {

/// Queues x + f(f(...f(x))) with f(y) = y/2 + 1/sqrt(y*y + 1), `rounds` deep, for each of n > 0 floats in
/// device memory. The rounds set how long the kernel takes: it reads and writes each value once, however many
/// there are. Rounded as IEEE 754 asks, so that the host can compute the same bits.
cudaError_t queue_work(float* values, std::size_t n, int rounds, cudaStream_t stream);

/// What such a launch does, for whoever counts work: said before it where the rounds are fixed and the values
/// lie in device memory. Rounds that were found by timing say how long they take instead.
inline void say_work(std::size_t n, int rounds) {
  constexpr double operations = 2 + 2 * harness::exact_operation;  // of a round: a quotient, a root, two more
  const auto values = static_cast<double>(n);
  harness::next_launch_does(2 * sizeof(float) * values, operations * rounds * values);
}

/// The same from `in` to `out`, which may lie in mapped host memory.
cudaError_t queue_work(float* out, const float* in, std::size_t n, int rounds, cudaStream_t stream);

}  // namespace microbench
