#include "tests/workloads/stgym/space/small_graphs.hpp"

#include "workloads/stgym/train/training_options.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

using namespace workloads::stgym;
using space::OptimizerConfig;
using space::OptimizerType;

/// The parameter after each step down the same made-up gradients; the rate is halved before the third.
std::vector<at::Tensor> descend(const OptimizerConfig& config, bool fused) {
  tests::Numbers numbers(1, at::kFloat);
  const auto p = numbers.signed_numbers({4}).set_requires_grad(true);
  workloads::training::Optimizer optimizer({{"p", p}}, recipe_of(config), fused);
  std::vector<at::Tensor> all = {p.detach().clone()};
  for (int step = 0; step < 4; ++step) {
    if (step == 2) optimizer.set_learning_rate(config.base_lr / 2);
    optimizer.zero_grad();
    (p * numbers.signed_numbers({4})).sum().backward();
    optimizer.step();
    all.push_back(p.detach().clone());
  }
  return all;
}

OptimizerConfig sgd(double momentum) {
  return {.optimizer = OptimizerType::sgd, .base_lr = 0.1, .weight_decay = 0.01, .momentum = momentum};
}

TEST_CASE("SGD adds weight decay to the gradient and the gradient to the momentum", "[space]") {
  for (const double momentum : {0.0, 0.9}) {
    const auto found = descend(sgd(momentum), false);
    tests::Numbers numbers(1, at::kFloat);
    auto p = numbers.signed_numbers({4});
    auto velocity = at::zeros({4});
    for (int step = 0; step < 4; ++step) {
      velocity = momentum * velocity + numbers.signed_numbers({4}) + 0.01 * p;
      p = p - (step < 2 ? 0.1 : 0.05) * velocity;
      CHECK(at::allclose(found[static_cast<std::size_t>(step) + 1], p, 1e-5, 1e-7));
    }
  }
}

TEST_CASE("one operator over all parameters steps as one for each does", "[space]") {
  for (const auto& config : {sgd(0), sgd(0.9), OptimizerConfig()}) {
    const auto slow = descend(config, false);
    const auto fast = descend(config, true);
    for (std::size_t i = 0; i < slow.size(); ++i) CHECK(at::allclose(fast[i], slow[i], 1e-5, 1e-7));
  }
}

}  // namespace
