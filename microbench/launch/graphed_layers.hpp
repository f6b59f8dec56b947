// Layers whose forward and backward pass are two captured graphs.
#pragma once

#include "harness/libtorch/torch_graph.hpp"

#include "microbench/autograd/autograd_layers.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

namespace microbench {

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
