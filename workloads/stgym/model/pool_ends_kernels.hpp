// What the pooling layer's sums end in: its two losses, and their gradients by the sums. Plain pointers and
// sizes, no LibTorch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace workloads::stgym {

/// K clusters, B graphs.
struct PoolEnds {
  std::int64_t graphs = 0, clusters = 0;
  const float* ss = nullptr;      // [B, K, K]: S'S of each graph
  const float* traces = nullptr;  // [parts, 2]: of trace(S'A S) and trace(S'D S)
  int parts = 0;
  float* losses = nullptr;  // out: [2], MinCut's and the mean of |S'S / |S'S| - I / sqrt(K)|
  float* sums = nullptr;    // out: [2], both traces
};

struct PoolEndsBackward {
  std::int64_t graphs = 0, clusters = 0;
  const float* ss = nullptr;
  const float* sums = nullptr;
  const float* of_mincut = nullptr;  // scalar: of the loss by MinCut's
  const float* of_ortho = nullptr;   // scalar
  float* of_traces = nullptr;        // out: [2]
  float* of_ss = nullptr;            // out: [B, K, K], its transpose added
};

void launch_pool_ends(const PoolEnds& args, cudaStream_t stream);
void launch_pool_ends_backward(const PoolEndsBackward& args, cudaStream_t stream);

}  // namespace workloads::stgym
