// SGD, Adam and AdamW with PyTorch's arithmetic, parameter by parameter or as one operator.
#pragma once

#include "workloads/training/noted_state.hpp"
#include "workloads/training/state.hpp"

#include <cstdint>
#include <memory>

namespace workloads::training {

enum class Algorithm { sgd, adam, adamw };

struct Recipe {
  Algorithm algorithm = Algorithm::adamw;
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double momentum = 0;
  double weight_decay = 0;
  bool decays_matrices_only = false;  // vectors (biases, norms) are not pulled towards 0
  std::int64_t rate_falls_over = 0;   // steps, in a straight line to 0; 0: the rate stays
};

/// The learning rate of a step, counted from 0.
double rate_of_step(const Recipe& recipe, std::int64_t step);

class Optimizer {
 public:
  /// `fused`: one operator for all parameters.
  Optimizer(const NamedTensors& parameters, const Recipe& recipe, bool fused);
  ~Optimizer();
  Optimizer(Optimizer&&) noexcept;
  Optimizer& operator=(Optimizer&&) noexcept;

  /// Fills gradients with zeros, or drops them.
  void zero_grad(bool to_none = true);
  /// A parameter without a gradient stays as it is, where it is not fused.
  void step();
  /// For the steps to come.
  void set_learning_rate(double rate);
  /// Of its parameters and of what it keeps of earlier steps; to be put back before it is gone.
  NotedState noted() const;

 private:
  struct Implementation;  // torch/optim is included in one file only
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace workloads::training
