// The kernels of stgym/fused_pooling, and of what the pooling layer's sums end in, its two losses and their
// gradients: plain pointers and sizes, no LibTorch.
#pragma once

#include "workloads/stgym/space/pool_fused_limits.hpp"

#include <cuda_runtime_api.h>

namespace workloads::stgym {

/// N nodes, K clusters, H features, B graphs. Graph b has the nodes from offsets[b] to offsets[b + 1]; nodes
/// behind the last graph are padding: they get their softmax and are in no sum. `softmaxes` leads from the
/// logits to S: 1, or 2 as the published layer has it. H may be 0: then S'h is left out, both ways.
struct PoolSizes {
  std::int64_t nodes = 0, clusters = 0, features = 0, graphs = 0;
  int softmaxes = 2;
};

template <class T>
struct PoolForward {
  PoolSizes size;
  const std::int64_t* offsets = nullptr;  // [B + 1]
  const T* h = nullptr;                   // [N, H]
  const T* logits = nullptr;              // [N, K]
  const T* degree = nullptr;              // [N]
  T* s = nullptr;                         // out: [N, K]
  /// Out, one part of the sums for each worker: [parts, B, K, K + H], S'S beside S'h.
  T* sums = nullptr;
  T* weighted = nullptr;  // out: [N], degree |S|^2; trace(S'D S) is its sum
};

template <class T>
struct PoolBackward {
  PoolSizes size;
  const std::int64_t* offsets = nullptr;
  const T* h = nullptr;
  const T* logits = nullptr;
  const T* degree = nullptr;
  const T* s = nullptr;
  // Of the loss by S, and what it takes the sums' gradients back to S with.
  const T* of_s = nullptr;         // [N, K]
  const T* neighbours = nullptr;   // [N, K]: (A + A') S
  const T* of_inside = nullptr;    // scalar: by trace(S'A S)
  const T* of_weighted = nullptr;  // scalar: by trace(S'D S)
  const T* of_ss = nullptr;        // [B, K, K]: by S'S, its transpose added
  const T* of_sh = nullptr;        // [B, K, H]: by S'h
  T* of_logits = nullptr;          // out: [N, K]
  T* of_h = nullptr;               // out: [N, H]
};

/// On the host, the nodes of part `part` of `parts`; `sums` begins with zeros. Safe to call at the same time.
template <class T>
void pool_forward(const PoolForward<T>& args, std::int64_t part, std::int64_t parts);
/// On the host, the nodes from `begin` to `end`.
template <class T>
void pool_backward(const PoolBackward<T>& args, std::int64_t begin, std::int64_t end);
template <>
void pool_forward(const PoolForward<float>& args, std::int64_t part, std::int64_t parts);
template <>
void pool_forward(const PoolForward<double>& args, std::int64_t part, std::int64_t parts);
template <>
void pool_backward(const PoolBackward<float>& args, std::int64_t begin, std::int64_t end);
template <>
void pool_backward(const PoolBackward<double>& args, std::int64_t begin, std::int64_t end);

/// On the device, queued on the stream; all `parts` of the sums are written.
void launch_pool_forward(const PoolForward<float>& args, int parts, cudaStream_t stream);
void launch_pool_backward(const PoolBackward<float>& args, cudaStream_t stream);

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
