#include "workloads/training/train_job.hpp"

#include "tests/workloads/training/small_gpt.hpp"

#include <catch2/catch_test_macros.hpp>

#include <utility>
#include <vector>

namespace {

using namespace harness;
using namespace workloads;

constexpr std::int64_t samples = 64;

run::TrainingOrder order_of(Options settings) {
  settings.try_emplace("batch_size", "4");
  return {.workload = "gpt", .settings = std::move(settings), .options = {}};
}

worker::Trained trained_with(const Options& settings, training::Job job = training::small_job()) {
  return training::train_job(std::move(job), samples, order_of(settings), [](int, double) {});
}

TEST_CASE("a training tells each part, and how fast, how large and how good it was", "[train]") {
  std::vector<int> parts;
  const auto trained =
      training::train_job(training::small_job(), samples, order_of({}), [&](int part, double seconds) {
        parts.push_back(part);
        CHECK(seconds > 0);
      });
  CHECK(parts == std::vector{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(trained.batch == 4);
  CHECK(trained.seconds_per_sample > 0);
  CHECK(trained.loss > 0);
  CHECK(trained.loss < 6);
}

TEST_CASE("the same settings end at the same loss, another rate at another", "[train]") {
  CHECK(trained_with({}).loss == trained_with({}).loss);
  CHECK(trained_with({{"learning_rate", "4"}}).loss != trained_with({}).loss);
}

TEST_CASE("all settings are validated on the same samples", "[train]") {
  auto job = training::small_job();
  job.recipe.learning_rate = 0;  // so that nothing but the batches of validation could differ
  CHECK(trained_with({{"batch_size", "8"}}, job).loss == trained_with({}, job).loss);
}

TEST_CASE("workers, parts of a batch, BF16 and checkpoints train", "[train]") {
  for (const auto& settings : {Options{{"workers", "2"}, {"prefetch", "4"}}, Options{{"accumulation", "2"}},
                               Options{{"precision", "bf16"}}, Options{{"checkpointing", "yes"}}})
    CHECK(trained_with(settings).loss > 0);
}

TEST_CASE("settings that exclude each other are refused with the reason", "[train]") {
  CHECK_THROWS_AS(trained_with({{"execution", "compiled"}, {"accumulation", "2"}}), Skip);
  CHECK_THROWS_AS(trained_with({{"accumulation", "8"}}), Skip);
  CHECK_THROWS_AS(trained_with({{"batch_size", "1000000"}}), Skip);
}

TEST_CASE("a setting that the workload lacks is refused", "[train]") {
  CHECK_THROWS_AS(trained_with({{"channels_last", "yes"}}), BadInput);
  CHECK_THROWS_AS(trained_with({{"precision", "fp16"}}), BadInput);
}

}  // namespace
