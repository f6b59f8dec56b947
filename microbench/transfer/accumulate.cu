#include "microbench/transfer/accumulate.hpp"

namespace microbench {
namespace {

constexpr unsigned threads = 256;

/// One block a piece.
__global__ void accumulate(const float* in, float* out, std::size_t step, bool first) {
  const std::size_t begin = blockIdx.x * step * accumulate_piece;
  for (std::size_t i = begin + threadIdx.x; i < begin + accumulate_piece; i += threads) {
    const float value = in[i];
    out[i] = first ? value : __fmaf_rn(0.5F, out[i], value);
  }
}

}  // namespace

cudaError_t queue_accumulate(const float* in, float* out, std::size_t n, std::size_t step, bool first,
                             cudaStream_t stream) {
  const std::size_t pieces = n / accumulate_piece;
  const auto blocks = static_cast<unsigned>((pieces + step - 1) / step);
  accumulate<<<blocks, threads, 0, stream>>>(in, out, step, first);
  return cudaGetLastError();
}

}  // namespace microbench
