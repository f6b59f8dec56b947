// A device whose clocks the driver lowers while a pair is taken.
#include "tests/harness/core/fake_clock.hpp"

#include "harness/core/measure.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace harness;
using example::Diary;
using example::FakeClock;

namespace {

constexpr std::uint64_t hot = 0x40;
constexpr std::uint64_t capped = 0x4;

/// A round of one pair on a fake clock; `events(n)` is what the driver says at the n-th time, from 0: before
/// and after each of the eight slots.
struct Watched {
  std::function<std::optional<std::uint64_t>(int)> events;
  int asked = 0;
  int rests = 0;

  Measurement take() {
    Diary diary;
    FakeClock clock{&diary};
    Trial trial;
    trial.naive = [&] { clock.pass(0.030); };
    trial.optimized = [&] { clock.pass(0.015); };
    trial.clear = [] {};
    const std::array<Trial, 2> sets{trial, trial};
    RoundPlan plan{.seed = 42};
    plan.clocks = {[this] { return events(asked++); }, [this] { ++rests; }};
    return Measurer(clock, sets).take_round(plan);
  }
};

}  // namespace

TEST_CASE("a pair in which the clocks were lowered once is thrown away whole and taken again", "[measure]") {
  Watched watched{[](int n) { return n == 5 ? hot : 0; }};
  const auto measured = watched.take();
  CHECK(measured.discarded == 1);
  CHECK(measured.samples.size() == 8);
  CHECK(watched.rests == 1);
  CHECK(measured.log_ratios.at(0) == Catch::Approx(std::log(0.5)));
}

TEST_CASE("a pair is taken three times at most, and the last one says what disturbed it", "[measure]") {
  Watched watched{[](int) { return hot; }};
  const auto measured = watched.take();
  CHECK(measured.discarded == 2);
  CHECK(watched.rests == 2);
  REQUIRE(measured.samples.size() == 8);
  CHECK(measured.samples[7].clock_events == hot);
}

TEST_CASE("a power cap is written down, and no reason to take a pair again", "[measure]") {
  Watched watched{[](int n) { return n < 2 ? capped : 0; }};
  const auto measured = watched.take();
  CHECK(measured.discarded == 0);
  CHECK(measured.samples.at(0).clock_events == capped);
  CHECK(measured.samples.at(1).clock_events == 0);
}

TEST_CASE("where the driver says nothing, nothing is taken again", "[measure]") {
  Watched watched{[](int) { return std::nullopt; }};
  CHECK(watched.take().discarded == 0);
}
