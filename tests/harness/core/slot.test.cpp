#include "harness/core/slot.hpp"

#include "tests/harness/core/fake_clock.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace harness;
using example::Diary;
using example::FakeClock;

namespace {

/// The diary of one slot of three runs.
Diary diary_of_slot(bool whole_slot) {
  Diary diary;
  FakeClock clock(&diary);
  const auto before = [&] { diary.emplace_back("before"); };
  const auto warm_up = [&] { diary.emplace_back("warm_up"); };
  const auto run = [&] { diary.emplace_back("run"); };
  time_slot(clock, SlotBody{before, warm_up, run, 3, whole_slot});
  return diary;
}

/// A slot of two runs that take 1 s and 3 s.
SlotTimes slot_of_unequal_runs(bool whole_slot) {
  FakeClock clock;
  double next = 1;
  const auto nothing = [] {};
  const auto run = [&] {
    clock.pass(next);
    next += 2;
  };
  return time_slot(clock, SlotBody{nothing, nothing, run, 2, whole_slot});
}

/// How long a slot of a form lasts that takes `seconds` a run, after calibration.
double calibrated_length(double seconds) {
  const auto length = [&](std::int64_t n) { return seconds * static_cast<double>(n); };
  return length(calibrate(length));
}

}  // namespace

TEST_CASE("a slot prepares, warms up, makes its marks and drains before the first one", "[slot]") {
  CHECK(diary_of_slot(false) == Diary{"before", "warm_up", "prepare 4", "drain", "mark", "run", "mark", "run",
                                      "mark", "run", "mark", "collect"});
}

TEST_CASE("a pipelined slot has no mark between its runs", "[slot]") {
  CHECK(diary_of_slot(true) ==
        Diary{"before", "warm_up", "prepare 2", "drain", "mark", "run", "run", "run", "mark", "collect"});
}

TEST_CASE("each run of a slot has its own time", "[slot]") {
  CHECK(slot_of_unequal_runs(false).runs == std::vector<double>{1, 3});
}

TEST_CASE("a pipelined slot has one time, shared by its runs", "[slot]") {
  CHECK(slot_of_unequal_runs(true).runs == std::vector<double>{2});
}

TEST_CASE("preparation and warm-up are not timed", "[slot]") {
  FakeClock clock;
  const auto dear = [&] { clock.pass(100); };
  const auto run = [&] { clock.pass(1); };
  CHECK(time_slot(clock, SlotBody{dear, dear, run, 1, false}).runs == std::vector<double>{1});
}

TEST_CASE("the value of a slot of long runs is their median", "[slot]") {
  CHECK(slot_value({1, 1, 10}, 1e-6, false) == 1);
}

TEST_CASE(
    "the value of a slot is the mean where a run is too short for the clock, or only the whole was timed",
    "[slot]") {
  CHECK(slot_value({1, 1, 10}, 1, false) == 4);
  CHECK(slot_value({4}, 1e-6, true) == 4);
}

TEST_CASE("runs of exactly 500 resolutions are long enough for a median", "[slot]") {
  CHECK(slot_value({500, 500, 500, 500, 500}, 1, false) == 500);
  CHECK(slot_value({499, 499, 1, 499, 499}, 1, false) == Catch::Approx(399.4));
}

TEST_CASE("calibration lengthens a slot to 20 ms, whatever a run takes", "[slot]") {
  for (const double seconds : {30e-9, 1e-6, 37e-6, 1e-3, 19.9e-3})
    CHECK(calibrated_length(seconds) >= slot_seconds);
}

TEST_CASE("calibration does not lengthen a slot far beyond 20 ms", "[slot]") {
  for (const double seconds : {1e-6, 37e-6, 1e-3}) CHECK(calibrated_length(seconds) < 2 * slot_seconds);
}

TEST_CASE("calibration ends at a whole multiple of runs, unless so many would take longer than 4 s",
          "[slot]") {
  const auto runs_of = [](double seconds, std::int64_t multiple) {
    return calibrate([=](std::int64_t n) { return seconds * static_cast<double>(n); }, multiple);
  };
  CHECK(runs_of(0.150, 7) == 7);
  CHECK(runs_of(0.003, 7) == 14);  // 8 runs for 20 ms, then two epochs
  CHECK(runs_of(0.571, 7) == 7);
  CHECK(runs_of(0.572, 7) == 1);
}

TEST_CASE("a slot has three runs for the median, unless they take longer than 100 ms", "[slot]") {
  const auto runs_of = [](double seconds) {
    return calibrate([=](std::int64_t n) { return seconds * static_cast<double>(n); });
  };
  CHECK(runs_of(0.015) == 3);
  CHECK(runs_of(0.033) == 3);
  CHECK(runs_of(0.034) == 1);
  CHECK(runs_of(0.5) == 1);
}

TEST_CASE("calibration ends for a form that takes no time", "[slot]") {
  CHECK(calibrate([](std::int64_t) { return 0.0; }) == 1'000'000);
}

TEST_CASE("the tail of a slot is its 99th percentile over its median", "[slot]") {
  std::vector<double> runs(200, 2.0);
  CHECK(tail_value(runs) == 1);
  runs[17] = runs[80] = 100;  // two of 200: the 198th in order is the 99th percentile
  CHECK(tail_value(runs) == 1);
  runs[90] = 3;
  CHECK(tail_value(runs) == 1.5);
  CHECK(tail_value({1, 1, 4}) == 4);
}
