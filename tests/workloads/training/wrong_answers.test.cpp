#include "tests/workloads/training/small_gpt.hpp"

#include "harness/core/same_answer.hpp"

#include "workloads/gpt/gpt_rung.hpp"
#include "workloads/training/switches.hpp"
#include "workloads/training/trial.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <memory>

namespace {

using namespace harness;
using namespace workloads;
using training::Switches;

Setup small_setup() {
  Setup setup;
  setup.seed = 7;
  return setup;
}

/// The same loss, whose gradients point the other way.
training::Network uphill(at::TensorOptions options) {
  auto network = training::small_gpt(options);
  network.loss = [loss = network.loss](const at::Tensor& output, const at::Tensor& target) {
    const auto value = loss(output, target);
    return 2 * value.detach() - value;
  };
  return network;
}

/// The small GPT, which adds `each` to a buffer for each batch that it trains.
template <int each>
training::Network noting(at::TensorOptions options) {
  auto network = training::small_gpt(options);
  network.buffers.emplace_back("noted", at::zeros({4}, options));
  network.predict = [predict = network.predict, noted = network.buffers.back().second](
                        const at::Tensor& input, const Switches& switches, training::Mode mode) {
    if (mode == training::Mode::training) noted.add_(each);
    return predict(input, switches, mode);
  };
  return network;
}

/// The small GPT, whose gradients add to those of the steps before.
training::Network remembering(at::TensorOptions options) {
  auto network = training::small_gpt(options);
  for (const auto& [name, parameter] : network.parameters)
    parameter.register_hook([sum = std::make_shared<at::Tensor>()](const at::Tensor& gradient) {
      *sum = sum->defined() ? *sum + gradient : gradient;
      return *sum;
    });
  return network;
}

bool agrees(const training::Training& optimized, const training::Training& naive,
            const Tolerance& tolerance) {
  auto setup = small_setup();
  const auto trial = training::trainings_trial(setup, naive, optimized, training::TimedUnit::step);
  try {
    check_same_answer(trial, tolerance, [] {});
    return true;
  } catch (const Disagreement&) {
    return false;
  }
}

bool agrees(const training::Job& other, const training::Job& job = training::small_job()) {
  return agrees({other, {}}, {job, {}}, training::other_order);
}

TEST_CASE("gradients that point the other way, or another rate, are not the same answer", "[wrong_answers]") {
  auto job = training::small_job();
  CHECK(agrees(job));
  job.make = uphill;
  CHECK_FALSE(agrees(job));
  job = training::small_job();
  job.recipe.learning_rate *= 1.5;
  CHECK_FALSE(agrees(job));
}

TEST_CASE("buffers that another number is noted down in are not the same answer", "[wrong_answers]") {
  auto job = training::small_job(), other = job;
  job.make = noting<1>;
  other.make = noting<2>;
  CHECK(agrees(job, job));
  CHECK_FALSE(agrees(other, job));
}

TEST_CASE("gradients that are not clipped, or not zeroed, are not the same answer", "[wrong_answers]") {
  auto job = training::small_job();
  job.clip = 0.01;                  // below the norms here
  job.recipe.learning_rate = 1e-5;  // the losses hardly show either
  auto other = job;
  other.clip = 0;
  CHECK(agrees(job, job));
  CHECK_FALSE(agrees(other, job));
  other = job;
  other.make = remembering;
  CHECK_FALSE(agrees(other, job));
}

/// The GPT, whose loss is that of the first half of a batch.
training::Job of_half_a_batch(training::Job job) {
  static const auto make = job.make;
  job.make = [](at::TensorOptions options) {
    auto network = make(options);
    network.loss = [loss = network.loss](const at::Tensor& output, const at::Tensor& target) {
      const auto half = target.size(0) / 2;
      return loss(output.narrow(0, 0, half), target.narrow(0, 0, half));
    };
    return network;
  };
  return job;
}

TEST_CASE("half of a batch is not the GPT's answer, in BF16 either", "[wrong_answers]") {
  auto setup = small_setup();
  const auto job = gpt::job(setup), half = of_half_a_batch(job);
  CHECK(agrees({job, {.bf16 = true}}, {job, {}}, gpt::half_precision));
  CHECK_FALSE(agrees({half, {.bf16 = true}}, {job, {}}, gpt::half_precision));
  CHECK_FALSE(agrees({half, training::best()}, {job, {}}, gpt::other_order));
}

TEST_CASE("an update without the weight decay is not the answer of the GPT's fused update",
          "[wrong_answers]") {
  auto setup = small_setup();
  const auto job = gpt::job(setup);
  auto other = job;
  other.recipe.weight_decay = 0;
  const Switches fused{.fused_optimizer = true};
  CHECK(agrees({job, fused}, {job, {}}, gpt::fused_update));
  CHECK_FALSE(agrees({other, fused}, {job, {}}, gpt::fused_update));
}

/// The small GPT with a parameter that its output does not depend on.
training::Network with_an_idle_layer(at::TensorOptions options) {
  auto network = training::small_gpt(options);
  network.parameters.emplace_back("idle.weight", at::zeros({4}, options).requires_grad_());
  return network;
}

TEST_CASE("a layer that is left out is named", "[wrong_answers]") {
  auto job = training::small_job();
  job.clip = 0;
  job.make = with_an_idle_layer;
  CHECK_THROWS_WITH(agrees(job), Catch::Matchers::ContainsSubstring("'idle.weight' got no gradient"));
}

}  // namespace
