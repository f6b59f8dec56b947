// The network of PyTorch's recipe for mixed precision: linear layers with ReLU between them, trained by SGD.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"

#include <ATen/core/Tensor.h>

namespace microbench {

struct MlpShape {
  std::int64_t batch = 0;
  std::int64_t width = 0;  // of input, output and all layers
  std::int64_t layers = 3;
};

/// Layers in FP32 with one batch of data.
class Mlp {
 public:
  Mlp(const harness::Setup& setup, MlpShape shape);

  /// The mean squared error of the batch; keeps its value for `answer`.
  at::Tensor loss();
  void forget_gradients();
  std::vector<at::Tensor> gradients() const;
  void descend();

  /// Parameters as they were at first.
  void start_again();
  /// The same, and no loss seen.
  void clear();
  /// The last loss. The fifth of a run shows what four steps have done to the parameters.
  harness::Answer answer() const;
  /// Gives back what a step leaves behind: gradients and loss.
  void drop_results();

  /// Bytes of parameters, their first values and gradients, and of a pass, all in FP32: more than is needed.
  static std::size_t bytes(MlpShape shape);

 private:
  std::vector<at::Tensor> parameters_;  // weight, bias, weight, ...
  std::vector<at::Tensor> start_;
  at::Tensor input_, target_, seen_;
};

/// How many steps of a loss curve are compared.
inline constexpr int curve_steps = 5;

/// The most memory that one step of each form takes on top of parameters and data.
harness::Figure peak_figure(Mlp& mlp, const std::function<void()>& naive,
                            const std::function<void()>& optimized);

}  // namespace microbench
