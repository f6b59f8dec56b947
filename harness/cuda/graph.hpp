// Work recorded once and launched as a whole: a captured graph, and its executable form.
#pragma once

#include "harness/cuda/check.hpp"
#include "harness/cuda/stream.hpp"

#include <concepts>
#include <cstddef>

namespace harness::inline cuda {

/// Owns a graph: what is to be done and in which order, not yet ready to run.
class Graph {
 public:
  /// Captures what `work` queues on the stream; none of it runs. Throws what `work` throws, and CudaError
  /// where it did what a capture forbids; the stream is out of capture in either case.
  template <std::invocable Work>
  Graph(const Stream& stream, const Work& work) {
    // Thread-local: what LibTorch's other threads do meanwhile does not concern this graph.
    check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
    Capture capture(stream);
    work();
    cudaGraph_t raw{};
    const auto status = capture.end(&raw);
    handle_.reset(raw);
    check(status);
  }
  /// Kernels, copies and whatever else was captured.
  std::size_t nodes() const {
    std::size_t count = 0;
    check(cudaGraphGetNodes(get(), nullptr, &count));
    return count;
  }
  cudaGraph_t get() const noexcept { return handle_.get(); }

 private:
  /// Ends a capture that `work` left by an exception: a stream that stays in capture fails every later call.
  class Capture {
   public:
    explicit Capture(const Stream& stream) : stream_(stream) {}
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    ~Capture() {
      if (ended_) return;
      cudaGraph_t raw{};
      const auto status = end(&raw);
      if (status != cudaErrorStreamCaptureInvalidated) report(status);  // that one `work` has thrown already
      if (raw != nullptr) report(cudaGraphDestroy(raw));
      cudaGetLastError();
    }
    cudaError_t end(cudaGraph_t* graph) {
      ended_ = true;
      return cudaStreamEndCapture(stream_.get(), graph);
    }

   private:
    const Stream& stream_;
    bool ended_ = false;
  };
  struct Destroy {
    void operator()(cudaGraph_t graph) const noexcept { report(cudaGraphDestroy(graph)); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, Destroy> handle_;
};

/// Owns a graph made ready to run: one launch queues all of its nodes. It keeps the addresses and the values
/// of the arguments that were captured; the graph it was made from may go.
class GraphExec {
 public:
  explicit GraphExec(const Graph& graph) {
    cudaGraphExec_t raw{};
    check(cudaGraphInstantiate(&raw, graph.get(), 0));
    handle_.reset(raw);
  }
  /// Brings the graph to the device ahead of its first launch, which would do so otherwise.
  void upload(const Stream& stream) const { check(cudaGraphUpload(get(), stream.get())); }
  void launch(const Stream& stream) const { check(cudaGraphLaunch(get(), stream.get())); }
  cudaGraphExec_t get() const noexcept { return handle_.get(); }

 private:
  struct Destroy {
    /// A graph that still runs is freed by the driver once it has finished.
    void operator()(cudaGraphExec_t graph) const noexcept { report(cudaGraphExecDestroy(graph)); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Destroy> handle_;
};

}  // namespace harness::inline cuda
