#include "harness/core/fixed_work.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace harness;

TEST_CASE(
    "a form without another one runs beside fixed work, and rounds take as much of it as the rehearsal found",
    "[fixed_work]") {
  Setup setup;
  int runs = 0;
  const auto trial = beside_fixed_work(setup, [&] { ++runs; });
  REQUIRE(setup.calibrations.size() == 1);
  CHECK(setup.calibrations.begin()->second >= 100);
  const auto found = runs;
  trial.naive();
  CHECK(runs == found);
  trial.optimized();
  CHECK(runs == found + 1);
  CHECK(trial.answer(Form::naive) == trial.answer(Form::optimized));
  setup.calibrations.begin()->second = 12345;
  static_cast<void>(beside_fixed_work(setup, [&] { ++runs; }));
  CHECK(runs == found + 1);  // nothing is timed again
}
