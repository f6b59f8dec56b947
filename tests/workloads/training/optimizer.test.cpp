#include "workloads/training/optimizer.hpp"

#include "tests/workloads/training/small_gpt.hpp"

#include "harness/core/setup.hpp"

#include "workloads/gpt/gpt_rung.hpp"
#include "workloads/training/trainer.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

using namespace harness;
using namespace workloads;
using namespace workloads::training;
using Catch::Approx;

const Recipe falls{.learning_rate = 0.1, .rate_falls_over = 4};

/// A parameter of value 1 whose gradient is always 1, after each of six steps.
std::vector<double> values_after_steps(bool fused) {
  auto parameter = at::ones({1}).requires_grad_();
  parameter.mutable_grad() = at::ones({1});
  Optimizer optimizer({{"p", parameter}}, falls, fused);
  std::vector<double> values;
  for (int i = 0; i < 6; ++i) {
    optimizer.step();
    values.push_back(parameter.item<double>());
  }
  return values;
}

std::vector<float> losses(const Job& job, const Switches& switches, int steps) {
  Trainer trainer(job, switches);
  for (int i = 0; i < steps; ++i) trainer.step();
  return trainer.losses();
}

TEST_CASE("a rate that falls goes in a straight line to 0 and stays there", "[optimizer]") {
  CHECK(rate_of_step(falls, 0) == Approx(0.1));
  CHECK(rate_of_step(falls, 1) == Approx(0.075));
  CHECK(rate_of_step(falls, 3) == Approx(0.025));
  CHECK(rate_of_step(falls, 4) == 0);
  CHECK(rate_of_step(falls, 9) == 0);
  CHECK(rate_of_step({.learning_rate = 0.1}, 9) == 0.1);
}

/// Adam's step is the rate itself as long as the gradient does not change: 0.1, 0.075, 0.05, 0.025, 0, 0.
TEST_CASE("each step goes as far as the fallen rate says, fused or not", "[optimizer]") {
  for (const bool fused : {false, true}) {
    const auto values = values_after_steps(fused);
    const std::vector<double> expected{0.9, 0.825, 0.775, 0.75, 0.75, 0.75};
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(values[i] == Approx(expected[i]).epsilon(1e-5));
  }
}

TEST_CASE("a recorded step, which keeps its rate, refuses one that falls", "[optimizer]") {
  auto job = small_job();
  job.recipe.rate_falls_over = 4;
  CHECK_THROWS_AS(Trainer(job, {.cuda_graph = true}), std::logic_error);
}

TEST_CASE("the step that torch's compiler writes lets the rate fall as the others do", "[compiled]") {
  Setup setup;
  auto job = gpt::job(setup);
  job.recipe.rate_falls_over = 4;
  constexpr int steps = 6;
  try {
    const auto compiled = losses(job, {.compiled = true}, steps), plain = losses(job, {}, steps);
    for (std::size_t i = 0; i < steps; ++i) CHECK(compiled[i] == Approx(plain[i]).epsilon(1e-4));
    job.recipe.rate_falls_over = 0;
    CHECK(losses(job, {}, steps).back() != Approx(plain.back()).epsilon(1e-3));
  } catch (const Skip& reason) {
    SKIP(reason.what());
  }
}

}  // namespace
