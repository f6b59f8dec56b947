#include "microbench/selftest/pairs.hpp"

#include "harness/core/same_answer.hpp"

#include "microbench/microbench_steps.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>

namespace {

using namespace harness;

constexpr auto no_drain = [] {};

/// Calls `check` with each pair that runs on the host, freshly prepared.
template <class Check>
void for_each_on_host(const Check& check) {
  for (const auto* pair : microbench::selftest_pairs()) {
    if (pair->runs == Runs::cuda) continue;
    for (const auto& point : points(pair->axes)) {
      INFO(row_name(*pair, point, {}));
      Setup setup;
      check(pair->prepare(setup, point));
    }
  }
}

TEST_CASE("at least 20 pairs of the self-test run on the host", "[selftest]") {
  int pairs = 0;
  for_each_on_host([&](const Trial&) { ++pairs; });
  CHECK(pairs >= 20);
}

TEST_CASE("a pair of the self-test has two equal forms that give the same answer", "[selftest]") {
  for_each_on_host([](const Trial& trial) { CHECK_NOTHROW(check_same_answer(trial, {}, no_drain)); });
}

TEST_CASE("a pair of the self-test that leaves its work undone is caught", "[selftest]") {
  for_each_on_host([](Trial trial) {
    trial.optimized = [] {};
    CHECK_THROWS_AS(check_same_answer(trial, {}, no_drain), Disagreement);
  });
}

TEST_CASE("the self-test's pairs are not tips", "[selftest]") {
  for (const auto* pair : microbench::selftest_pairs())
    CHECK(std::ranges::find(microbench::steps(), pair->id, &Step::id) == microbench::steps().end());
}

}  // namespace
