#pragma once

#include "workloads/stgym/model/model.hpp"

#include <memory>

namespace workloads::stgym {

/// Adam with PyTorch's arithmetic, learning rate 0.01, weight decay 5e-4 (docs/stgym.md).
class Adam {
 public:
  struct Settings {
    double learning_rate = 0.01;
    double weight_decay = 5e-4;
    bool fused = false;  // one operator for all parameters
  };
  explicit Adam(const NamedTensors& parameters) : Adam(parameters, Settings{}) {}
  Adam(const NamedTensors& parameters, const Settings& settings);
  ~Adam();
  Adam(Adam&&) noexcept;
  Adam& operator=(Adam&&) noexcept;

  void zero_grad();
  void step();
  /// For the steps to come.
  void set_learning_rate(double rate);

 private:
  struct State;  // torch/optim is included in one file only
  std::unique_ptr<State> state_;
};

}  // namespace workloads::stgym
