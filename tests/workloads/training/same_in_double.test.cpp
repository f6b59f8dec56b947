#include "tests/workloads/training/small_gpt.hpp"

#include "harness/core/same_answer.hpp"

#include "workloads/gpt/gpt_rung.hpp"
#include "workloads/resnet50/resnet50_rung.hpp"
#include "workloads/training/switches.hpp"
#include "workloads/training/trial.hpp"
#include "workloads/unet/unet_rung.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdint>
#include <memory>

namespace {

using namespace harness;
using namespace workloads;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::StartsWith;
using training::Switches;

/// The network whose first parameter gets gradients of 0.
training::Network frozen(at::TensorOptions options) {
  auto network = training::small_gpt(options);
  network.parameters.front().second.register_hook(
      [](const at::Tensor& gradient) { return at::zeros_like(gradient); });
  return network;
}

/// The network whose first parameter gets gradients of 0 from the third on.
training::Network freezing(at::TensorOptions options) {
  auto network = training::small_gpt(options);
  network.parameters.front().second.register_hook(
      [seen = std::make_shared<int>(0)](const at::Tensor& gradient) {
        return ++*seen > 2 ? at::zeros_like(gradient) : gradient;
      });
  return network;
}

void compare(const training::Job& other) {
  training::check_same_in_double({training::small_job(), {}}, {other, {.bf16 = true}});
}

TEST_CASE("what BF16 hides is another answer in FP64", "[same_in_double]") {
  const auto job = training::small_job();
  CHECK_NOTHROW(compare(job));

  auto other = job;
  SECTION("another beta2") { other.recipe.beta2 = 0.5; }
  SECTION("no weight decay") { other.recipe.weight_decay = 0; }
  SECTION("Adam for AdamW") { other.recipe.algorithm = training::Algorithm::adam; }
  SECTION("a layer that does not learn") { other.make = frozen; }
  SECTION("one sample twice in a batch") {
    auto data = *job.dataset;
    data.get = [get = data.get](std::int64_t i) { return get(i == 1 ? 0 : i); };
    other.dataset = std::make_shared<training::Dataset>(data);
  }
  SECTION("the first samples over and over") {
    auto data = *job.dataset;
    data.get = [get = data.get](std::int64_t i) { return get(i % 8); };
    other.dataset = std::make_shared<training::Dataset>(data);
  }
  SECTION("a layer that stops learning after two steps") { other.make = freezing; }
  CHECK_THROWS_MATCHES(compare(other), Disagreement,
                       MessageMatches(StartsWith("in FP64 the sides disagree")));
}

/// The network whose form in BF16 does not learn its first parameter.
training::Network frozen_in_bf16(at::TensorOptions options) {
  auto network = training::small_gpt(options);
  const auto bf16 = std::make_shared<bool>(false);
  network.predict = [predict = network.predict, bf16](const at::Tensor& input, const Switches& switches,
                                                      training::Mode mode) {
    *bf16 = switches.bf16;
    return predict(input, switches, mode);
  };
  network.parameters.front().second.register_hook(
      [bf16](const at::Tensor& gradient) { return *bf16 ? at::zeros_like(gradient) : gradient; });
  return network;
}

void compare_rung(const training::Job& job) {
  Setup setup;
  const auto trial =
      training::forms_trial(setup, job, training::rung_forms(&Switches::bf16, training::TimedUnit::step));
  check_same_answer(trial, {.relative = 1}, [] {});
}

TEST_CASE("a rung is compared in FP64 too, whatever its tolerance", "[same_in_double]") {
  auto job = training::small_job();
  CHECK_NOTHROW(compare_rung(job));
  job.make = frozen_in_bf16;
  CHECK_THROWS_AS(compare_rung(job), Disagreement);
}

TEST_CASE("the best forms of all three models give the same answer in FP64", "[same_in_double]") {
  Setup setup;
  auto fast = training::best();
  fast.bf16 = true;
  fast.compiled = true;  // not in FP64
  for (const auto& job : {gpt::job(setup), resnet50::job(setup), unet::job(setup)}) {
    INFO(job.name);
    CHECK_NOTHROW(training::check_same_in_double({job, {}}, {job, fast}));
  }
}

}  // namespace
