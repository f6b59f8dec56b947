// LibTorch's operators captured into a graph, with the memory that their results need.
#pragma once

#include "harness/cuda/check.hpp"

#include <cuda_runtime_api.h>

#include <ATen/cuda/CUDAGraph.h>

#include <exception>
#include <functional>
#include <memory>

namespace microbench {

/// The graph of what `work` queues on LibTorch's current stream. `work` is run a few times before: libraries
/// set themselves up at their first call, which a capture forbids. Results that it allocates lie in a pool of
/// the graph's own and keep their addresses.
inline std::unique_ptr<at::cuda::CUDAGraph> captured(const std::function<void()>& work) {
  constexpr int warm_up = 3;
  for (int i = 0; i < warm_up; ++i) work();
  harness::check(cudaDeviceSynchronize());
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

}  // namespace microbench
