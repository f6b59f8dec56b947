// What rows that would take minutes cost: docs/cuda_review.md, findings 9 and 11.
#include "tests/harness/core/fake_clock.hpp"

#include "harness/core/measure.hpp"
#include "harness/core/step.hpp"
#include "harness/core/verdict.hpp"

#include "microbench/microbench_steps.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace {

using namespace harness;

constexpr Device cuda{Device::Kind::cuda, 0};

const Step& step_named(std::string_view id) {
  return **std::ranges::find(microbench::steps(), id, [](const Step* step) { return step->id; });
}

TEST_CASE("no row of sync/async_launch multiplies more than 4096 rows and columns", "[steps]") {
  for (const auto& point : points(step_named("sync/async_launch"), cuda)) CHECK(point["n"] <= 4096);
}

/// How often the optimized form runs in the rehearsal and all rounds of a row, if a run takes so long.
int runs_of_a_row(double seconds) {
  example::FakeClock clock;
  int runs = 0;
  const Trial trial{.naive = [&] { clock.pass(1e-3); },
                    .optimized = [&] { ++runs, clock.pass(seconds); },
                    .clear = [] {},
                    .answer = [](Form) -> Answer { return std::vector<float>{1}; }};
  const std::array<Trial, 2> sets{trial, trial};
  const auto iterations = Measurer(clock, sets).rehearse({}).iterations;
  for (int round = 0; round < Rule().looks.front(); ++round)
    Measurer(clock, sets).take_round({.round = round, .iterations = iterations, .run_first = true});
  return runs;
}

TEST_CASE("the seconds of format/cudnn_benchmark_variable pay for all of its searches", "[steps]") {
  // Each run of its second form is a search. They take 0.3 to 2 s, by the finding: 1 s each.
  const auto searches = runs_of_a_row(1);
  CAPTURE(searches);
  CHECK(step_named("format/cudnn_benchmark_variable").row_seconds >= searches);
}

}  // namespace
