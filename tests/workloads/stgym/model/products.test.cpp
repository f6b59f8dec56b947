#include "workloads/stgym/model/linear_products.hpp"
#include "workloads/training/host_products.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <vector>

namespace {

using namespace workloads::stgym;
using namespace workloads::training;

/// Every way to choose between the libraries.
Libraries any_libraries() { return libraries_of(GENERATE(range(1, 9))); }

TEST_CASE("a linear layer has the same values and gradients through either library", "[stgym]") {
  const auto by = any_libraries();
  const auto rows = GENERATE(37, 8192, 2 * 8192 + 5);  // one block, a full one, several with a rest
  const auto x = at::randn({rows, 19}).set_requires_grad(true);
  const auto weight = at::randn({11, 19}).set_requires_grad(true);
  const auto bias = at::randn({11}).set_requires_grad(true);
  if (!onednn_multiplies(x)) SKIP("this LibTorch has no oneDNN");
  const std::vector<at::Tensor> leaves = {x, weight, bias};
  std::vector<std::vector<at::Tensor>> seen;
  for (const bool ours : {false, true}) {
    for (const auto& leaf : leaves) leaf.mutable_grad() = at::Tensor();
    const auto y = ours ? host_linear(x, weight, bias, by) : at::linear(x, weight, bias);
    (y * y).mean().backward();
    seen.push_back({y.detach()});
    for (const auto& leaf : leaves) seen.back().push_back(leaf.grad().clone());
  }
  for (std::size_t i = 0; i < seen[0].size(); ++i) CHECK(at::allclose(seen[1][i], seen[0][i], 1e-4, 1e-4));
}

TEST_CASE("a product of rows in several places is that of the rows together", "[stgym]") {
  const auto by = any_libraries();
  const std::vector<at::Tensor> parts = {at::randn({300, 19}), at::randn({1, 19}), at::randn({37, 19})};
  const auto weight = at::randn({11, 19}).set_requires_grad(true);
  if (!onednn_multiplies(weight)) SKIP("this LibTorch has no oneDNN");
  const auto mix = at::randn({338, 11});
  (at::mm(at::cat(parts), weight.t()) * mix).sum().backward();
  const auto expected = weight.grad().clone();
  weight.mutable_grad() = at::Tensor();
  const auto y = product_of_parts(parts, weight, by);
  CHECK(at::allclose(y, at::mm(at::cat(parts), weight.t()), 1e-4, 1e-4));
  (y * mix).sum().backward();
  CHECK(at::allclose(weight.grad(), expected, 1e-4, 1e-4));
}

TEST_CASE("a product's error against FP64 is rounding's: 24 bits in FP32, 8 in BF16", "[stgym]") {
  const auto x = at::rand({300, 2000}), weight = at::randn({32, 2000});
  CHECK(product_error(x, weight) < 2e-6);
  CHECK(product_error(x, weight) > 0);
  const auto half = product_error(x.to(at::kBFloat16), weight);
  CHECK(half > 1e-4);
  CHECK(half < 1. / 256);
}

TEST_CASE("rows in BF16 give the weight's gradient within BF16's rounding, in FP32", "[stgym]") {
  const auto x = at::rand({600, 19});
  const auto weight = at::randn({11, 19}).set_requires_grad(true);
  const auto mix = at::randn({600, 11});
  const auto half = x.to(at::kBFloat16);
  (product_of_parts({half.narrow(0, 0, 350), half.narrow(0, 350, 250)}, weight, {}) * mix).sum().backward();
  const auto expected = at::mm(mix.t(), x);
  CHECK(weight.grad().scalar_type() == at::kFloat);
  CHECK(((weight.grad() - expected).norm() / expected.norm()).item<double>() < 1e-2);
}

/// Seconds as they are given, one after the other for each library; what is asked for is noted.
struct FakeClock {
  std::vector<double> blas, onednn;
  std::vector<Library> asked = {};

  Library faster() {
    return faster_library([this](Library library) {
      auto& left = library == Library::blas ? blas : onednn;
      asked.push_back(library);
      const auto seconds = left.front();
      if (left.size() > 1) left.erase(left.begin());
      return seconds;
    });
  }
};

TEST_CASE("the library with the shortest run is the faster one", "[stgym]") {
  CHECK(FakeClock{{3}, {2}}.faster() == Library::onednn);
  CHECK(FakeClock{{2}, {3}}.faster() == Library::blas);
  CHECK(FakeClock{{2}, {2}}.faster() == Library::blas);
}

TEST_CASE("neither a library's first run nor a disturbed one decides", "[stgym]") {
  CHECK(FakeClock{{2}, {90, 1}}.faster() == Library::onednn);      // it set itself up
  CHECK(FakeClock{{0.1, 2}, {9, 1}}.faster() == Library::onednn);  // a first run is too short
  CHECK(FakeClock{{2}, {9, 5, 5, 1, 5, 5}}.faster() == Library::onednn);
}

TEST_CASE("the probe gives each library its turn, so that a slow second meets both", "[stgym]") {
  FakeClock clock{{1}, {1}};
  clock.faster();
  REQUIRE(clock.asked.size() == 12);
  for (std::size_t i = 0; i < clock.asked.size(); ++i)
    CHECK(clock.asked[i] == (i % 2 == 0 ? Library::blas : Library::onednn));
}

TEST_CASE("the choice for a layer is kept as a number from 1", "[stgym]") {
  for (int number = 1; number <= 8; ++number) CHECK(number_of(libraries_of(number)) == number);
  CHECK(libraries_of(1) == Libraries{});
  CHECK(libraries_of(8) == onednn_alone);
}

TEST_CASE("a small layer is oneDNN's without a probe, and so gives the same bits on every run", "[stgym]") {
  if (!onednn_multiplies(at::zeros({1}))) SKIP("this LibTorch has no oneDNN");
  CHECK(faster_libraries(at::zeros({20, 128})) == onednn_alone);
  CHECK(faster_libraries(at::zeros({128, 128}, at::kDouble)) == Libraries{});
}

TEST_CASE("a layer is multiplied through the libraries that it was given, where the form has a probe",
          "[stgym]") {
  std::vector<std::vector<std::int64_t>> asked;
  const auto given = [&](const at::Tensor& weight) {
    asked.push_back(weight.sizes().vec());
    return libraries_of(3);
  };
  ModelShape shape;
  shape.features = 5;
  shape.hidden = 4;
  shape.clusters = 3;
  shape.post_hidden = {2};
  const Model model(shape, 1, at::kCPU, given);
  CHECK(asked == std::vector<std::vector<std::int64_t>>{{4, 5}, {4, 4}, {3, 4}, {2, 3}, {39, 2}});
}

TEST_CASE("a product through oneDNN needs neither a bias nor a gradient by its input", "[stgym]") {
  const auto x = at::randn({37, 19});
  const auto weight = at::randn({11, 19}).set_requires_grad(true);
  if (!onednn_multiplies(x)) SKIP("this LibTorch has no oneDNN");
  const auto y = host_linear(x, weight, {}, onednn_alone);
  y.sum().backward();
  CHECK(at::allclose(y.detach(), at::mm(x, weight.t()).detach(), 1e-4, 1e-4));
  CHECK(at::allclose(weight.grad(), x.sum(0).expand({11, 19}), 1e-4, 1e-4));
}

TEST_CASE("numbers of double precision are not oneDNN's", "[stgym]") {
  CHECK_FALSE(onednn_multiplies(at::zeros({2, 2}, at::kDouble)));
}

}  // namespace
