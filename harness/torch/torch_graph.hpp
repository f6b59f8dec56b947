// LibTorch's operators captured into a graph, with the memory that their results need.
#pragma once

#include "harness/cuda/check.hpp"

#include <cuda_runtime_api.h>

#include <ATen/cuda/CUDAGraph.h>

#include <exception>
#include <functional>
#include <memory>

namespace harness {

/// The graph of what `work` queues on LibTorch's current stream. Libraries set themselves up at their first
/// call, which a capture forbids, so `rehearse` is run before: empty, `work` itself a few times. Results that
/// `work` allocates lie in a pool of the graph's own and keep their addresses.
inline std::unique_ptr<at::cuda::CUDAGraph> captured(const std::function<void()>& work,
                                                     const std::function<void()>& rehearse = {}) {
  constexpr int warm_up = 3;
  if (rehearse) rehearse();
  for (int i = 0; i < warm_up && !rehearse; ++i) work();
  check(cudaDeviceSynchronize());
  auto graph = std::make_unique<at::cuda::CUDAGraph>();
  graph->capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
  std::exception_ptr thrown;
  try {
    work();
  } catch (...) {
    thrown = std::current_exception();
  }
  graph->capture_end();  // in any case: stream, allocator and generator would stay in capture for later rows
  if (thrown) std::rethrow_exception(thrown);
  return graph;
}

}  // namespace harness
