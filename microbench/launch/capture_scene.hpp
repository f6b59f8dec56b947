// Two batches, a graph's input and output, and work to capture: the scene of the steps on what a capture
// forbids.
#pragma once

#include "harness/core/step.hpp"
#include "harness/cuda/graph.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"

#include "microbench/short_kernels.hpp"
#include "microbench/values.hpp"

#include <exception>

namespace microbench {

inline constexpr harness::Source capture_constraints{
    .title = "PyTorch, CUDA semantics",
    .url = "https://docs.pytorch.org/docs/stable/notes/cuda.html",
    .where = "CUDA Graphs, Constraints"};

/// An axis of two cases, 0 and 1, by name.
constexpr harness::Axis case_axis(std::string_view name, std::string_view about,
                                  harness::Few<std::string_view> cases) {
  return {.name = name, .about = about, .quick = {0}, .labels = cases};
}

/// The graph's work is out = factor * in.
struct CaptureScene {
  static constexpr std::size_t values = 1024;
  explicit CaptureScene(const harness::Setup& setup)
      : stream(*setup.stream),
        a(normal_values(setup, {static_cast<std::int64_t>(values)})),
        b(normal_values(setup, {static_cast<std::int64_t>(values)}, 1)) {
    scale(in, 1);  // loads the kernels, which a capture should find loaded
    scale_by_factor();
    start_again();
  }

  const harness::Stream& stream;
  at::Tensor a, b;  // the batches
  at::Tensor b_on_host = b.cpu();
  at::Tensor in = a.clone(), out = at::empty_like(a), factor = at::ones({}, a.options());
  harness::PinnedBuffer first{sizeof(float)};
  bool refused = false;

  /// `in` holds the first batch and `out` nothing; the factor is 1.
  void start_again() {
    in.copy_(a);
    out.fill_(-100);
    factor.fill_(1);
    refused = false;
  }
  /// With a factor that is an argument of the launch.
  void scale(const at::Tensor& input, float by) const {
    harness::check(
        queue_scale(out.data_ptr<float>(), input.const_data_ptr<float>(), by, values, stream.get()));
  }
  /// With the factor that lies in device memory.
  void scale_by_factor() const {
    harness::check(queue_scale_by(out.data_ptr<float>(), in.const_data_ptr<float>(),
                                  factor.const_data_ptr<float>(), values, stream.get()));
  }
  /// Reads the first result, as `.item()` does: a copy to pinned memory, and a wait for it.
  void read_first() const {
    harness::check(cudaMemcpyAsync(first.data(), out.const_data_ptr(), first.size(), cudaMemcpyDeviceToHost,
                                   stream.get()));
    stream.synchronize();
  }
  /// Captures `work` and launches it; where that is refused there is no result, and `refused` is set.
  template <class Work>
  void capture_and_launch(const Work& work) {
    try {
      harness::GraphExec(harness::Graph(stream, work)).launch(stream);
    } catch (const std::exception&) {
      refused = true;
    }
  }
};

}  // namespace microbench
