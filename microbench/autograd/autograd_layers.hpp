// A chain of layers, the network that the steps on autograd run.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"

#include <ATen/core/Tensor.h>

namespace microbench {

/// x -> relu(x w) for each of the weights in `stacked` (layers x width x width).
at::Tensor apply_layers(at::Tensor x, const at::Tensor& stacked);

/// The same with nothing kept but the input: the backward pass runs the layers a second time.
at::Tensor apply_layers_checkpointed(const at::Tensor& x, const at::Tensor& stacked);

/// Input and weights; the weights ask for gradients.
struct Layers {
  Layers(const harness::Setup& setup, std::int64_t layers, std::int64_t width, std::int64_t batch);

  /// The backward pass of the mean square of `output`, times `share`: adds to the weights' gradient.
  static void backward(const at::Tensor& output, double share = 1);
  /// Moves the weights' gradient to `gradient`.
  void take_gradient();
  /// A forward and a backward pass.
  void train();

  /// NaN in place of the gradient.
  void clear();
  harness::Answer answer() const;

  at::Tensor input, weights, gradient;
};

/// A trial whose forms leave the gradient of all weights; its first figure is the peaks of memory.
harness::Trial gradient_trial(const std::shared_ptr<Layers>& layers, const std::function<void()>& naive,
                              const std::function<void()>& optimized);

/// What LibTorch holds at the peak of either form; `drop` first frees what an earlier run has left.
std::vector<harness::Figure> peak_figures(const std::function<void()>& naive,
                                          const std::function<void()>& optimized,
                                          const std::function<void()>& drop);

}  // namespace microbench
