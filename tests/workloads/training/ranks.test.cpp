#include "tests/harness/libtorch/cpus_needed.hpp"

#include "harness/core/same_answer.hpp"
#include "harness/libtorch/rank.hpp"
#include "harness/libtorch/team.hpp"

#include "workloads/training/data_parallel.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "ranks_ways.hpp"
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace harness;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using workloads::training::shard_of;

Trial on_two_ranks(Setup& setup, const run::StepAt& row) {
  const auto team =
      std::make_shared<Team>(row, setup, TeamPlan{.size = 2, .patience = std::chrono::seconds(120)});
  return prepare_in(team, setup);
}

void train_on_two_ranks(std::string_view model, std::string_view way) {
  Setup setup;
  const auto trial = on_two_ranks(setup, ranks_ways::row(model, way));
  trial.clear();
  trial.naive();
  trial.answer(Form::naive);
}

TEST_CASE("the shards are all of a batch, in order, and none twice", "[ranks]") {
  const std::vector<std::int64_t> batch{7, 3, 9, 1, 4, 8};
  std::vector<std::int64_t> all;
  for (int number = 0; number < 3; ++number)
    for (const auto sample : shard_of(batch, Rank(number, 3, {}, {}))) all.push_back(sample);
  CHECK(all == batch);
  CHECK(shard_of(batch, Rank(1, 3, {}, {})).size() == 2);
}

TEST_CASE("in FP64 two ranks have one process's losses and gradients to 12 digits", "[ranks]") {
  need_cpus(2);
  for (const auto* model : {"gpt", "batch_norm"})
    for (const auto* way : {"buckets", "each_gradient", "no_sync", "sync_each"}) {
      INFO(model << " " << way);
      CHECK_NOTHROW(train_on_two_ranks(model, way));
    }
}

TEST_CASE("a sum that nobody has divided by the ranks is noticed in a training", "[ranks]") {
  need_cpus(2);
  CHECK_THROWS_MATCHES(train_on_two_ranks("gpt", "forgotten_division"), Disagreement,
                       MessageMatches(ContainsSubstring("off by 1 of the largest value")));
}

TEST_CASE("with batch norms two ranks are not one process that normalises over the whole batch", "[ranks]") {
  need_cpus(2);
  CHECK_NOTHROW(train_on_two_ranks("gpt", "whole_batch"));
  CHECK_THROWS_AS(train_on_two_ranks("batch_norm", "whole_batch"), Disagreement);
}

TEST_CASE("each rank reads its shard of every batch and no other sample", "[ranks]") {
  need_cpus(2);
  CHECK_NOTHROW(train_on_two_ranks("gpt", "reads"));
}

void check_rung(std::string_view row) {
  INFO(row);
  Setup setup;
  setup.seed = 7;
  const auto found = run::find_row(ranks_ways::steps(), std::string(row) + "/device:cpu", 0);
  const auto trial = on_two_ranks(setup, found);
  CHECK_NOTHROW(check_same_answer(trial, found.step->tolerance, [] {}));
  for (const auto form : {Form::naive, Form::optimized}) {
    trial.before_slot(form);
    trial.warm_up(form);
  }
}

TEST_CASE("every rung of the GPT in two ranks takes one process's first step", "[ranks]") {
  need_cpus(2);
  for (const auto* row : {"gpt/ddp", "gpt/ddp_no_sync", "gpt/ddp_buckets"}) check_rung(row);
}

TEST_CASE("ResNet-50 in two ranks takes the first step of one process in two parts", "[ranks]") {
  need_cpus(2);
  check_rung("resnet50/ddp");
}

TEST_CASE("the U-Net that exchanges once for two parts takes the first step of one process in four",
          "[ranks]") {
  need_cpus(2);
  check_rung("unet/ddp_no_sync");
}

TEST_CASE("a batch that does not divide evenly among the ranks skips the row", "[ranks]") {
  need_cpus(3);
  Setup setup;
  const auto team = std::make_shared<Team>(run::find_row(ranks_ways::steps(), "gpt/ddp/device:cpu", 0), setup,
                                           TeamPlan{.size = 3, .patience = std::chrono::seconds(120)});
  CHECK_THROWS_MATCHES(prepare_in(team, setup), Skip,
                       MessageMatches(ContainsSubstring("does not divide evenly among 3 ranks")));
}

}  // namespace
