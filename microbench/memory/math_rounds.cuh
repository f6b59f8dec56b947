// What math_plain.cu, math_fast.cu and math_debug.cu compile, each with its flags: they decide what becomes
// of sinf, expf and the loop. Internal linkage, so that no linker can merge the three.
#pragma once

#include <cstddef>

namespace microbench {
namespace {

/// in + f(f(...f(in))) with f(y) = sin(y) + exp(-y * y), `rounds` deep; with 0 rounds a mere copy.
__global__ void math_rounds(float* out, const float* in, std::size_t n, int rounds) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float y = rounds > 0 ? x : 0.0F;
  for (int r = 0; r < rounds; ++r) y = sinf(y) + expf(-y * y);
  out[i] = x + y;  // y alone ends at the same value whatever x was
}

cudaError_t launch_math(float* out, const float* in, std::size_t n, int rounds, cudaStream_t stream) {
  constexpr unsigned threads = 256;
  const auto blocks = static_cast<unsigned>((n + threads - 1) / threads);
  math_rounds<<<blocks, threads, 0, stream>>>(out, in, n, rounds);
  return cudaGetLastError();
}

}  // namespace
}  // namespace microbench
