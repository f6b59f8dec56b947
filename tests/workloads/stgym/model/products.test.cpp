#include "workloads/stgym/model/linear_products.hpp"
#include "workloads/training/onednn_linear.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <vector>

namespace {

using namespace workloads::stgym;
using workloads::training::onednn_linear;
using workloads::training::onednn_multiplies;

TEST_CASE("a linear layer through oneDNN has the values and gradients of the one through BLAS", "[stgym]") {
  const auto rows = GENERATE(37, 8192, 2 * 8192 + 5);  // one block, a full one, several with a rest
  const auto x = at::randn({rows, 19}).set_requires_grad(true);
  const auto weight = at::randn({11, 19}).set_requires_grad(true);
  const auto bias = at::randn({11}).set_requires_grad(true);
  if (!onednn_multiplies(x)) SKIP("this LibTorch has no oneDNN");
  const std::vector<at::Tensor> leaves = {x, weight, bias};
  std::vector<std::vector<at::Tensor>> seen;
  for (const bool onednn : {false, true}) {
    for (const auto& leaf : leaves) leaf.mutable_grad() = at::Tensor();
    const auto y = onednn ? onednn_linear(x, weight, bias) : at::linear(x, weight, bias);
    (y * y).mean().backward();
    seen.push_back({y.detach()});
    for (const auto& leaf : leaves) seen.back().push_back(leaf.grad().clone());
  }
  for (std::size_t i = 0; i < seen[0].size(); ++i) CHECK(at::allclose(seen[1][i], seen[0][i], 1e-4, 1e-4));
}

TEST_CASE("a product through oneDNN needs neither a bias nor a gradient by its input", "[stgym]") {
  const auto x = at::randn({37, 19});
  const auto weight = at::randn({11, 19}).set_requires_grad(true);
  if (!onednn_multiplies(x)) SKIP("this LibTorch has no oneDNN");
  const auto y = onednn_linear(x, weight, {});
  y.sum().backward();
  CHECK(at::allclose(y.detach(), at::mm(x, weight.t()).detach(), 1e-4, 1e-4));
  CHECK(at::allclose(weight.grad(), x.sum(0).expand({11, 19}), 1e-4, 1e-4));
}

TEST_CASE("numbers of double precision are not oneDNN's", "[stgym]") {
  CHECK_FALSE(onednn_multiplies(at::zeros({2, 2}, at::kDouble)));
}

}  // namespace
