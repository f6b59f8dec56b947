#include "harness/core/counts.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

using namespace harness;

namespace {

Figure figure(const char* unit, double naive, double optimized) {
  return {"what was counted", unit, naive, optimized};
}

CountedWork work(const std::vector<Figure>& figures) { return counted_work(figures); }

/// Slots of both forms in turns, each of four runs.
Measurement slots(const std::vector<std::int64_t>& faults) {
  Measurement measured;
  measured.iterations = 4;
  for (std::size_t i = 0; i < faults.size(); ++i)
    measured.samples.push_back(
        {.slot = 1, .form = i % 2 == 0 ? Form::naive : Form::optimized, .faults = faults[i]});
  return measured;
}

TEST_CASE("calls, bytes, faults and instructions are counts, seconds and broken numbers are not",
          "[counts]") {
  for (const auto* unit : {"calls", "B", "faults", "instructions"}) CHECK(is_count(figure(unit, 3, 0)));
  CHECK_FALSE(is_count(figure("s", 3, 0)));
  CHECK_FALSE(is_count(figure("calls", 2.5, 2)));
  CHECK_FALSE(is_count(figure("B", -1, 2)));
}

TEST_CASE("what differs is a share of the most frequent calls, or of the bytes of one kind", "[counts]") {
  const std::vector calls{figure("calls", 1000, 996), figure("calls", 200, 199)};
  CHECK(counted_share(calls) == 0.005);
  CHECK(counted_share(std::vector{calls[0], figure("B", 100, 110)}) == 0.1);
  CHECK_FALSE(counted_share(std::vector{calls[0], figure("B", 0, 110)}));
  CHECK(counted_share(std::vector{figure("calls", 1000, 1000)}) == 0);
  CHECK_FALSE(counted_share(std::vector{figure("s", 2, 1)}));
}

TEST_CASE("one call more is more for certain, and instructions only beyond 1 %", "[counts]") {
  CHECK(counts_more("calls", 1000, 1001));
  CHECK_FALSE(counts_more("calls", 1000, 1000));
  CHECK_FALSE(counts_more("instructions", 1000, 1010));
  CHECK(counts_more("instructions", 1000, 1011));
}

TEST_CASE("two takes of instructions agree within 0.1 %, and the smaller one counts", "[counts]") {
  const auto counted = instructions_of({1001, 1000}, {2000, 2002});
  REQUIRE(counted);
  CHECK(counted->naive == 1000);
  CHECK(counted->optimized == 2000);
  CHECK(instructions_of({1001, 1000}, {1000, 1001}));
  CHECK_FALSE(instructions_of({1002, 1000}, {1000, 1000}));
  CHECK_FALSE(instructions_of({1000, 1000}, {1000, 1002}));
}

TEST_CASE("takes that scatter more count where the forms lie twenty times as far apart", "[counts]") {
  CHECK(instructions_of({1000, 1010}, {1210, 1220}));        // 200 between, 10 apart
  CHECK(instructions_of({1210, 1220}, {1000, 1010}));        // in either direction
  CHECK_FALSE(instructions_of({1000, 1010}, {1209, 1219}));  // 199
  CHECK_FALSE(instructions_of({1000, 1500}, {1200, 1201}));  // one between the other's
}

TEST_CASE("a form does less where no count says otherwise and one differs", "[counts]") {
  CHECK(work({}) == CountedWork::same);
  CHECK(work({figure("calls", 5, 5), figure("s", 5, 1)}) == CountedWork::same);
  CHECK(work({figure("calls", 5, 4), figure("B", 8, 8)}) == CountedWork::less);
  CHECK(work({figure("calls", 5, 6), figure("instructions", 1000, 1005)}) == CountedWork::more);
  CHECK(work({figure("calls", 5, 4), figure("B", 8, 16)}) == CountedWork::mixed);
}

TEST_CASE("page faults belong to a form where all of its slots have met as many", "[counts]") {
  const auto certain = page_faults(slots({8, 0, 8, 0, 8, 0}));
  REQUIRE(certain);
  CHECK(certain->naive == 2);
  CHECK(certain->optimized == 0);
  CHECK_FALSE(page_faults(slots({8, 0, 9, 0})));   // two slots differ
  CHECK_FALSE(page_faults(slots({8, 0, 8, -1})));  // one was not watched
  CHECK_FALSE(page_faults(slots({6, 0, 6, 0})));   // one and a half a run
  CHECK_FALSE(page_faults(Measurement{}));
  auto first = slots({9, 0, 8, 0, 8, 0});
  first.samples[0].slot = 0;  // the clock's own memory
  CHECK(page_faults(first));
}

}  // namespace
