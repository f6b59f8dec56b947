#include "workloads/stgym/optimizer.hpp"

#include "harness/torch/range.hpp"

#include <torch/optim/adam.h>

namespace workloads::stgym {
namespace {

std::vector<at::Tensor> tensors_of(const NamedTensors& parameters) {
  std::vector<at::Tensor> tensors;
  for (const auto& [name, tensor] : parameters) tensors.push_back(tensor);
  return tensors;
}

}  // namespace

struct Adam::State {
  torch::optim::Adam adam;
};

Adam::Adam(const NamedTensors& parameters, const Settings& settings)
    : state_(std::make_unique<State>(State{torch::optim::Adam(
          tensors_of(parameters),
          torch::optim::AdamOptions(settings.learning_rate).weight_decay(settings.weight_decay))})) {}
Adam::~Adam() = default;
Adam::Adam(Adam&&) noexcept = default;
Adam& Adam::operator=(Adam&&) noexcept = default;

// The ranges have the names that Python's optimizers give theirs, so that tools know them.
void Adam::zero_grad() {
  const harness::Range range("Optimizer.zero_grad#Adam.zero_grad");
  state_->adam.zero_grad();
}
void Adam::step() {
  const harness::Range range("Optimizer.step#Adam.step");
  state_->adam.step();
}

}  // namespace workloads::stgym
