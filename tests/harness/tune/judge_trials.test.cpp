#include "harness/tune/judge_trials.hpp"

#include "tests/harness/tune/fake_workload.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace harness::tune {
namespace {

using example::fake_plan;
using example::tried;
using example::with;

const auto plan = fake_plan();
const auto standard = standard_of(plan);
const auto large = with(plan, {{"batch", "64"}});
const auto small = with(plan, {{"batch", "4"}});
const auto half = with(plan, {{"format", "bf16"}});

TEST_CASE("trials of the same settings count as their median", "[trials]") {
  const std::vector<Tried> trials{tried(0, standard, 3), tried(1, standard, 1), tried(2, standard, 2)};
  const auto found = found_in(trials);
  REQUIRE(found.size() == 1);
  CHECK(found[0].seconds_per_sample == 2);
  CHECK(found[0].trials == 3);
}

TEST_CASE("a loss above the standard one by more than the margin breaks a limit", "[trials]") {
  const std::vector<Tried> trials{tried(0, standard, 2, 1e6, 2), tried(1, large, 1, 1e6, 2.11),
                                  tried(2, half, 1.5, 1e6, 2.09)};
  const auto best = best_first(plan, trials);
  REQUIRE(best.size() == 2);
  CHECK(best[0].settings == half);
}

TEST_CASE("a loss below zero may rise by the margin too", "[trials]") {
  const std::vector<Tried> trials{tried(0, standard, 2, 1e6, -2), tried(1, half, 1, 1e6, -1.95)};
  CHECK(best_first(plan, trials).front().settings == half);
}

TEST_CASE("a loss that is not finite breaks the limit whatever the standard is", "[trials]") {
  const run::Trained answer{.seconds_per_sample = 1, .loss = std::numeric_limits<double>::quiet_NaN()};
  CHECK(broken_limits(plan, answer, std::nullopt)[1] > 0);
}

TEST_CASE("what takes more than the memory is left out", "[trials]") {
  auto limited = plan;
  limited.memory = 2e6;
  const std::vector<Tried> trials{tried(0, standard, 2, 1e6), tried(1, large, 1, 2.1e6)};
  CHECK(best_first(limited, trials).front().settings == standard);
  CHECK(best_first(plan, trials).front().settings == large);
}

TEST_CASE("the front holds what no other beats in both", "[trials]") {
  const std::vector<Tried> trials{tried(0, standard, 2, 2e6), tried(1, large, 1, 4e6),
                                  tried(2, small, 3, 1e6), tried(3, half, 2.5, 3e6)};
  const auto front = pareto_front(plan, trials);
  REQUIRE(front.size() == 3);
  CHECK(front[0].settings == large);
  CHECK(front[1].settings == standard);
  CHECK(front[2].settings == small);
}

TEST_CASE("a knob that decides the time explains all of its scatter, one that does nothing none",
          "[trials]") {
  std::vector<Tried> trials;
  for (const auto* batch : {"4", "8"})
    for (const auto* format : {"fp32", "bf16"})
      trials.push_back(tried(static_cast<int>(trials.size()),
                             with(plan, {{"batch", batch}, {"format", format}}), *batch == '4' ? 2 : 1));
  const auto all = importance(plan, trials);
  REQUIRE(all.size() == 2);
  CHECK(all[0].knob == "batch");
  CHECK(all[0].share == Catch::Approx(1));
  CHECK(all[1].share == Catch::Approx(0).margin(1e-12));
}

TEST_CASE("what is pruned or failed is neither found nor best", "[trials]") {
  auto pruned = tried(1, large, 0.1);
  pruned.state = State::pruned;
  const std::vector<Tried> trials{tried(0, standard, 1), pruned};
  CHECK(found_in(trials).size() == 1);
}

TEST_CASE("advice is tried knob by knob and then together, as far as it goes together", "[plan]") {
  const auto advised = advised_settings(plan);
  REQUIRE(advised.size() == 3);
  CHECK(advised[0] == large);
  CHECK(advised[1] == with(plan, {{"compiled", "yes"}}));
  CHECK(advised[2] == with(plan, {{"batch", "64"}, {"compiled", "yes"}}));
}

TEST_CASE("a knob that is fixed is neither searched nor advised", "[plan]") {
  auto fixed = plan;
  fixed.fixed = {{"batch", "16"}};
  CHECK(searched_knobs(fixed).size() == 5);
  CHECK(standard_of(fixed).at("batch") == "16");
  for (const auto& settings : advised_settings(fixed)) CHECK(settings.at("batch") == "16");
}

TEST_CASE("a trial survives the way through JSON", "[trials]") {
  auto failed = tried(3, large, 0);
  failed.state = State::failed;
  failed.reason = "out of memory";
  for (const auto& one : {tried(2, half, 1.5e-3, 3e6, 1.25), failed}) {
    const auto json = tried_to_json(one);
    const auto read = tried_from_json(Field(json, "trial"));
    CHECK(read.number == one.number);
    CHECK(read.settings == one.settings);
    CHECK(read.state == one.state);
    CHECK(read.reason == one.reason);
    if (one.state == State::complete) CHECK(read.answer == one.answer);
  }
}

}  // namespace
}  // namespace harness::tune
