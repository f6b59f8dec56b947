// SGD, Adam and AdamW with PyTorch's arithmetic, parameter by parameter or as one operator; clipping, which
// scales gradients down together where they are too large; and what steps change, noted before a rehearsed
// one.
#pragma once

#include "workloads/training/network.hpp"

#include <memory>
#include <unordered_map>

namespace torch::optim {

class Optimizer;

}

namespace workloads::training {

class NotedState {
 public:
  /// Copies the tensors, what LibTorch's optimizer keeps of earlier steps, and a count of them; null: none.
  NotedState(std::vector<at::Tensor> tensors, torch::optim::Optimizer* optimizer,
             std::int64_t* count = nullptr);

  /// Copies all of it back into the same memory. What the optimizer has made since is as before a first step.
  void put_back() const;

 private:
  struct Moments {
    std::vector<at::Tensor> tensors;  // copies
    std::int64_t steps = 0;
  };
  std::vector<at::Tensor> tensors_, copies_;
  torch::optim::Optimizer* optimizer_;
  std::int64_t* count_;
  std::int64_t noted_count_;
  std::unordered_map<void*, Moments> moments_;  // by parameter, as LibTorch has it
};

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

/// Scales all gradients down where the norm of all of them is above `most`: parameter by parameter, or with
/// one operator for all. Returns nothing, so that nobody waits for the norm.
void clip_gradients(const NamedTensors& parameters, double most, bool together);

}  // namespace workloads::training
