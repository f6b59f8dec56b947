#include "harness/tune/yardstick.hpp"

#include "tests/harness/tune/fake_workload.hpp"

#include "harness/tune/halving.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>

namespace harness::tune {
namespace {

using example::fake_plan;
using example::fake_training;
using example::no_time;
using example::planted_cost;
using example::quiet;

Searched searched(const Plan& plan, TrialStore& store, const TrainSettings& train) {
  return search_with_yardstick(plan, halving(plan, store), train, quiet(), no_time);
}

/// A machine that gets slower by this share from trial to trial.
TrainSettings slowing(double share) {
  return [training = fake_training(planted_cost, 0, 1), share](const Asked& asked, const auto& give_up) {
    auto ended = training(asked, give_up);
    ended.tried.answer.seconds_per_sample *= 1 + share * asked.number;
    return ended;
  };
}

TEST_CASE("the standard settings are trained again behind the search, and judge by both trials",
          "[yardstick]") {
  auto plan = fake_plan();
  plan.trials = 3;  // the standard settings and two pieces of advice
  TrialStore store({}, plan);
  const auto trials = searched(plan, store, slowing(0.1)).trials;
  REQUIRE(trials.size() == 4);
  CHECK(trials.back().settings == standard_of(plan));
  CHECK(trials.back().number == 3);
  CHECK(store.trials().size() == 4);
  const auto first = planted_cost(standard_of(plan));
  CHECK(std::abs(drift(plan, trials)->ratio() - 1.3) < 1e-9);
  CHECK(std::abs(standard_found(plan, trials)->seconds_per_sample / first - 1.15) < 1e-9);
}

TEST_CASE("a search that has just ended is not given a third trial of them", "[yardstick]") {
  auto plan = fake_plan();
  plan.trials = 3;
  TrialStore store({}, plan);
  const auto once = searched(plan, store, slowing(0)).trials;
  CHECK(searched(plan, store, slowing(0)).trials.size() == once.size());
}

TEST_CASE("a signal during the last trial loses that trial alone", "[yardstick]") {
  auto plan = fake_plan();
  plan.trials = 3;
  TrialStore store({}, plan);
  int begun = 0;
  const TrainSettings stops = [&](const Asked& asked, const auto& give_up) {
    return ++begun == 4 ? Ended{{}, SIGTERM} : slowing(0)(asked, give_up);
  };
  const auto stopped = searched(plan, store, stops);
  CHECK(stopped.signal == SIGTERM);
  CHECK(store.trials().size() == 3);
  CHECK_FALSE(drift(plan, stopped.trials));
}

TEST_CASE("a search that a signal has ended trains nothing more", "[yardstick]") {
  const auto plan = fake_plan();
  TrialStore store({}, plan);
  int begun = 0;
  const TrainSettings stops = [&](const Asked& asked, const auto& give_up) {
    return ++begun == 2 ? Ended{{}, SIGTERM} : slowing(0)(asked, give_up);
  };
  CHECK(searched(plan, store, stops).signal == SIGTERM);
  CHECK(begun == 2);
}

}  // namespace
}  // namespace harness::tune
