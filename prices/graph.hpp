#pragma once

#include "harness/cuda/check.hpp"
#include "harness/cuda/stream.hpp"

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

namespace prices {

/// Owns work that was captured once and is launched as a whole.
class Graph {
 public:
  /// Captures what `queue` queues on the stream.
  template <class Queue>
  Graph(const harness::Stream& stream, Queue&& queue) {
    harness::check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
    queue();
    cudaGraph_t raw{};
    harness::check(cudaStreamEndCapture(stream.get(), &raw));
    const std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, Destroy> captured(raw);
    cudaGraphExec_t executable{};
    harness::check(cudaGraphInstantiate(&executable, captured.get(), 0));
    executable_.reset(executable);
  }
  void launch(const harness::Stream& stream) const {
    harness::check(cudaGraphLaunch(executable_.get(), stream.get()));
  }

 private:
  struct Destroy {
    void operator()(cudaGraph_t graph) const noexcept { harness::report(cudaGraphDestroy(graph)); }
    void operator()(cudaGraphExec_t graph) const noexcept { harness::report(cudaGraphExecDestroy(graph)); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Destroy> executable_;
};

}  // namespace prices
