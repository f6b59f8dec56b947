// A chain of pointwise functions with its derivative, fused into one pass each way; in host or device memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace microbench {

/// v -> v / (1 + |v|), `length` times over: few operations, and a derivative that needs each value on the
/// way. All arrays have n values, n > 0; `kept` has `length` times n: what went into the first function for
/// all i, then into the second. Where `kept` is null nothing is kept, and the backward pass computes it again
/// from x.
struct PointwiseChain {
  const float* x = nullptr;
  const float* of_y = nullptr;  // the gradient that comes in
  float* y = nullptr;
  float* of_x = nullptr;
  float* kept = nullptr;
  std::size_t n = 0;
  int length = 0;
};

/// Queues y and what is kept; or of_x.
cudaError_t queue_chain_forward(const PointwiseChain& chain, cudaStream_t stream);
cudaError_t queue_chain_backward(const PointwiseChain& chain, cudaStream_t stream);

/// The same in host memory, on the calling thread.
void run_chain_forward(const PointwiseChain& chain);
void run_chain_backward(const PointwiseChain& chain);

}  // namespace microbench
