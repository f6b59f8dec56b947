#include "microbench/parallel/replica.hpp"

#include "harness/core/same_answer.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/generator.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace microbench::parallel {

using harness::Disagreement;

Rows even_rows(std::int64_t rows, int rank, int size) {
  return {rows * rank / size, rows * (rank + 1) / size};
}

Replica::Replica(const harness::Setup& setup, const NetShape& shape) {
  const auto device = harness::torch_device(setup.device);
  const auto generator = harness::host_generator(setup.seed);
  const auto drawn = at::TensorOptions().dtype(at::kDouble);
  // So large that the values neither grow nor vanish on their way.
  const auto scale = 1 / std::sqrt(static_cast<double>(shape.width));
  input_ = at::randn({shape.rows, shape.width}, generator, drawn).to(device, shape.type);
  for (std::int64_t i = 0; i < shape.layers; ++i)
    parameters_.push_back(at::randn({shape.width, shape.width}, generator, drawn)
                              .mul_(scale)
                              .to(device, shape.type)
                              .requires_grad_());
}

at::Tensor Replica::loss(Rows rows, int ranks) const {
  auto x = input_.slice(0, rows.first, rows.end);
  for (const auto& weight : parameters_) x = at::tanh(at::mm(x, weight));
  return x.square().sum().mul(ranks / static_cast<double>(input_.numel()));
}

void Replica::forget_gradients() const {
  for (const auto& parameter : parameters_) parameter.mutable_grad().reset();
}

std::vector<at::Tensor> Replica::gradients() const {
  std::vector<at::Tensor> all;
  for (const auto& parameter : parameters_) {
    if (!parameter.grad().defined()) throw Disagreement("a parameter has no gradient");
    all.push_back(parameter.grad());
  }
  return all;
}

Replica::Truth Replica::truth() const {
  forget_gradients();
  loss({0, rows()}, 1).backward();
  Truth truth{gradients()};
  forget_gradients();
  return truth;
}

harness::Answer checked_gradient(const Replica& replica, const Replica::Truth& truth, double tolerance) {
  std::vector<at::Tensor> flat;
  const auto gradients = replica.gradients();
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const auto& right = truth.gradients[i];
    const auto off = (gradients[i] - right).abs().max().item<double>() / right.abs().max().item<double>();
    if (!(off <= tolerance))
      throw Disagreement(
          fmt::format("the gradient of parameter {} differs from one process's by {:.2g} of "
                      "its largest value; {:.2g} is allowed",
                      i, off, tolerance));
    flat.push_back(gradients[i].reshape({-1}));
  }
  return harness::numbers_of(at::cat(flat));
}

}  // namespace microbench::parallel
