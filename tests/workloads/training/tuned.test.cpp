#include "workloads/training/tuned.hpp"

#include "tests/workloads/training/small_gpt.hpp"

#include "harness/core/same_answer.hpp"

#include "workloads/gpt/data.hpp"
#include "workloads/training/knobs.hpp"
#include "workloads/tuning/make_knob.hpp"

#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <string>
#include <vector>

namespace {

using namespace harness;
using namespace workloads;

constexpr Tolerance tolerance{.relative = 5e-2, .why = "as in the step"};

training::Job small() {
  auto job = training::small_job();
  job.name = "gpt";  // whose knobs it has
  return job;
}

tuning::Settings standard() {
  auto settings = tuning::standard_of(training::tunable_model("gpt").knobs({{}, {}, 1}));
  settings["batch_size"] = "4";
  return settings;
}

/// The trial of a small GPT against these settings, as a file of `tune` has them.
Trial trial_of(Setup& setup, const std::string& knobs) {
  setup.options["settings"] = R"({"workload": "gpt", "settings": [)" + knobs + "]}";
  const Point point{.at = {{"setting", 1, "1"}}};
  auto job = small();
  job.batch_size = 16;
  job.dataset =
      std::make_shared<const training::Dataset>(gpt::pieces(std::string(gpt::own_text()), "docs", 64, 16));
  return training::tuned_trial(setup, point, job, 64);
}

run::TrainingOrder order_of(const tuning::Settings& settings) {
  return {.workload = "gpt", .settings = settings, .options = {}, .amount = 64, .loader = ""};
}

TEST_CASE("standard settings and others train as many samples, whatever their batches", "[tuned]") {
  for (const auto* knobs : {"{}", R"({"batch_size": "32"})", R"({"batch_size": "4", "accumulation": "2"})",
                            R"({"workers": "2", "prefetch": "4"})", R"({"precision": "bf16"})",
                            R"({"checkpointing": "yes", "learning_rate": "2"})"}) {
    INFO(knobs);
    Setup setup;
    CHECK_NOTHROW(check_same_answer(trial_of(setup, knobs), tolerance, [] {}));
  }
}

TEST_CASE("a form that leaves samples out is caught", "[tuned]") {
  Setup setup;
  auto trial = trial_of(setup, R"({"batch_size": "32"})");
  trial.optimized = [] {};
  CHECK_THROWS_AS(check_same_answer(trial, tolerance, [] {}), Disagreement);
}

TEST_CASE("beside the times stand the losses on seeds that no trial has used", "[tuned]") {
  Setup setup;
  const auto figures = trial_of(setup, R"({"learning_rate": "4", "batch_size": "4"})").figures();
  REQUIRE(figures.size() == 1);
  CHECK(figures[0].name == "validation loss");
  CHECK(figures[0].naive > 0);
  CHECK(figures[0].optimized < figures[0].naive);  // 16 updates at four times the rate, against 4
}

TEST_CASE("a step without settings of its workload is skipped", "[tuned]") {
  Setup setup;
  const Point point{.at = {{"setting", 1, "1"}}};
  CHECK_THROWS_AS(training::tuned_trial(setup, point, small(), 64), Skip);
}

TEST_CASE("a trial tells each part, and how fast, how large and how good it was", "[tuned]") {
  std::vector<int> parts;
  const auto trained = training::train_job(small(), order_of(standard()),
                                           [&](const run::PartTrained& part) { parts.push_back(part.part); });
  CHECK(parts == std::vector{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(trained.samples == 64);
  CHECK(trained.seconds_per_sample > 0);
  CHECK(trained.loss > 0);
  CHECK(trained.loss < 6);
}

TEST_CASE("the same settings end at the same loss, another rate at another", "[tuned]") {
  const auto loss = [](const tuning::Settings& settings) {
    return training::train_job(small(), order_of(settings), [](const auto&) {}).loss;
  };
  auto fast = standard();
  fast["learning_rate"] = "4";
  CHECK(loss(standard()) == loss(standard()));
  CHECK(loss(fast) != loss(standard()));
}

TEST_CASE("all settings are validated on the same samples", "[tuned]") {
  auto slow = standard();
  slow["batch_size"] = "8";
  auto job = small();
  job.recipe.learning_rate = 0;  // so that nothing but the batches of validation could differ
  const auto loss = [&](const tuning::Settings& settings) {
    return training::train_job(job, order_of(settings), [](const auto&) {}).loss;
  };
  CHECK(loss(slow) == loss(standard()));
}

TEST_CASE("settings that clash are skipped with the reason", "[tuned]") {
  auto settings = standard();
  settings["execution"] = "compiled";
  settings["precision"] = "bf16";
  CHECK_THROWS_AS(training::train_job(small(), order_of(settings), [](const auto&) {}), Skip);
}

TEST_CASE("a batch of more samples than there are is skipped", "[tuned]") {
  auto settings = standard();
  settings["batch_size"] = "16";
  CHECK_THROWS_AS(training::train_job(small(), order_of(settings), [](const auto&) {}), Skip);
}

}  // namespace
