// Two batches, a graph's input and output, and work to capture: the scene of the steps on what a capture
// forbids; and layers whose forward and backward pass are two captured graphs.
#pragma once

#include "harness/core/step.hpp"
#include "harness/cuda/graph.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/libtorch/torch_graph.hpp"

#include "microbench/autograd/autograd_layers.hpp"
#include "microbench/short_kernels.hpp"
#include "microbench/values.hpp"

#include <c10/core/GradMode.h>

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

/// The layers' forward and backward pass as two graphs over memory that stays.
class GraphedLayers {
 public:
  explicit GraphedLayers(const Layers& layers)
      : input(layers.input.clone()),
        of_output(at::zeros_like(layers.input)),
        of_weights(at::empty_like(layers.weights.detach())),
        weights_(layers.weights.detach()) {
    const c10::AutoGradMode off(false);
    const auto to = [this] { run_forward(); };
    const auto fro = [this] { run_backward(); };
    forward = harness::captured(to, to);
    backward = harness::captured(fro, fro);
  }

  at::Tensor input, of_output, of_weights, output;
  std::unique_ptr<at::cuda::CUDAGraph> forward, backward;

 private:
  void run_forward() {
    kept_ = {input};
    for (const auto& w : weights_.unbind()) kept_.push_back(at::relu(at::mm(kept_.back(), w)));
    output = kept_.back();
  }
  void run_backward() {
    auto gradient = of_output;
    for (std::int64_t i = weights_.size(0) - 1; i >= 0; --i) {
      const auto at_layer = static_cast<std::size_t>(i);
      gradient = at::threshold_backward(gradient, kept_[at_layer + 1], 0);
      of_weights[i].copy_(at::mm(kept_[at_layer].t(), gradient));
      if (i > 0) gradient = at::mm(gradient, weights_[i].t());
    }
  }
  at::Tensor weights_;
  std::vector<at::Tensor> kept_;
};

}  // namespace microbench
