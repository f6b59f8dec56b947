// What a configuration trains with.
#pragma once

#include "workloads/stgym/model/model.hpp"
#include "workloads/stgym/space/configuration.hpp"
#include "workloads/training/noted_state.hpp"

#include <memory>

namespace workloads::stgym::space {

/// Adam, or SGD with momentum, with PyTorch's arithmetic: weight decay is added to the gradient.
class Optimizer {
 public:
  /// `fused`: one operator for all parameters.
  Optimizer(const NamedTensors& parameters, const OptimizerConfig& config, bool fused);
  ~Optimizer();
  Optimizer(Optimizer&&) noexcept;
  Optimizer& operator=(Optimizer&&) noexcept;

  void zero_grad();
  /// A parameter without a gradient stays as it is.
  void step();
  /// For the steps to come.
  void set_learning_rate(double rate);
  /// Of its parameters and of what it keeps of earlier steps; to be put back before it is gone.
  training::NotedState noted() const;

 private:
  struct State;  // torch/optim is included in one file only
  std::unique_ptr<State> state_;
};

}  // namespace workloads::stgym::space
