#include "tests/workloads/stgym/space/numerical_gradient.hpp"
#include "tests/workloads/stgym/space/small_graphs.hpp"

#include "harness/libtorch/generator.hpp"

#include "workloads/stgym/space_model/layers.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <stdexcept>
#include <string>

namespace {

using namespace workloads::stgym;
using space::Activation;
using space::Finish;
using space::Mode;

space::Style plain(Activation act) {
  space::Style style;
  style.act = act;
  style.use_batchnorm = false;
  return style;
}

Finish make(const space::Style& style) {
  space::ParameterSource source(1, at::kDouble);
  return {style, 3, source};
}

at::Tensor some_rows() { return tests::Numbers(4).signed_numbers({5, 3}); }

at::Tensor run(const Finish& finish, const at::Tensor& x, Mode mode, const Switches& switches = {}) {
  auto random = harness::host_generator(6);
  return finish(x.clone(), switches, mode, random);
}

TEST_CASE("each activation is its formula, overwriting its input or not", "[space]") {
  const auto x = some_rows();
  Switches inplace;
  inplace.inplace = true;
  for (const auto& switches : {Switches(), inplace}) {
    const auto of = [&](Activation act) { return run(make(plain(act)), x, Mode::training, switches); };
    CHECK(of(Activation::none).equal(x));
    CHECK(of(Activation::relu).equal(x.clamp_min(0)));
    CHECK(at::allclose(of(Activation::prelu), at::where(x > 0, x, 0.25 * x)));
    CHECK(at::allclose(of(Activation::swish), x * x.sigmoid()));
  }
}

TEST_CASE("batch norm trains with the batch's statistics and is evaluated with those it has learned",
          "[space]") {
  auto style = plain(Activation::none);
  style.use_batchnorm = true;
  const auto finish = make(style);
  const auto x = some_rows();
  const auto mean = x.mean(0);
  const auto trained = (x - mean) / (x.var(0, /*unbiased=*/false) + 1e-5).sqrt();
  CHECK(at::allclose(run(finish, x, Mode::training), trained));
  const auto learned_mean = 0.1 * mean;
  const auto learned_variance = 0.9 + 0.1 * x.var(0);
  CHECK(
      at::allclose(run(finish, x, Mode::evaluation), (x - learned_mean) / (learned_variance + 1e-5).sqrt()));
}

TEST_CASE("a batch norm refuses to learn from a single row, and can be evaluated on one", "[space]") {
  auto style = plain(Activation::none);
  style.use_batchnorm = true;
  const auto finish = make(style);
  const auto row = some_rows().narrow(0, 0, 1);
  CHECK_THROWS_AS(run(finish, row, Mode::training), std::runtime_error);
  CHECK_NOTHROW(run(finish, row, Mode::evaluation));
}

TEST_CASE("dropout keeps its share, scaled up, while training only", "[space]") {
  auto style = plain(Activation::none);
  style.dropout = 0.25;
  const auto x = at::ones({1000, 3}, at::kDouble);
  const auto kept = run(make(style), x, Mode::training);
  CHECK(at::logical_or(kept.eq(0), kept.eq(1 / 0.75)).all().item<bool>());
  CHECK(std::abs(kept.eq(0).to(at::kDouble).mean().item<double>() - 0.25) < 0.05);
  CHECK(run(make(style), x, Mode::evaluation).equal(x));
}

TEST_CASE("the L2 norm comes last and leaves rows of 0 as they are", "[space]") {
  auto style = plain(Activation::relu);
  style.l2norm = true;
  auto x = some_rows();
  x[2] = -1;  // ReLU makes it 0
  const auto norms = run(make(style), x, Mode::training).norm(2, 1);
  CHECK(norms[2].item<double>() == 0);
  CHECK(at::allclose(norms.index({at::tensor({0, 1, 3, 4}, at::kLong)}), at::ones({4}, at::kDouble)));
}

TEST_CASE("parameters are named by their place among what follows the layer", "[space]") {
  auto style = plain(Activation::prelu);
  const auto name_of_slope = [&] {
    NamedTensors all;
    make(style).add_parameters(all, "post_layer");
    return all.back().first;
  };
  CHECK(name_of_slope() == "post_layer.0.weight");
  style.use_batchnorm = true;
  CHECK(name_of_slope() == "post_layer.1.weight");
  style.dropout = 0.5;
  CHECK(name_of_slope() == "post_layer.2.weight");
}

TEST_CASE("the gradients of batch norm, dropout, activation and L2 norm together are the numerical ones",
          "[space]") {
  auto style = plain(Activation::swish);
  style.use_batchnorm = true;
  style.dropout = 0.3;
  style.l2norm = true;
  const auto finish = make(style);
  const auto x = some_rows().set_requires_grad(true);
  NamedTensors parameters;
  finish.add_parameters(parameters, "");
  const auto mix = tests::Numbers(2).signed_numbers({5, 3});
  const auto loss = [&] { return (run(finish, x, Mode::training) * mix).sum(); };
  CHECK(tests::gradient_error(loss, {x, parameters[0].second, parameters[1].second}) < 1e-6);
}

}  // namespace
