#include "harness/simulate/bounds.hpp"

#include "harness/simulate/simulate.hpp"
#include "harness/simulate/simulate_text.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <map>
#include <string>

namespace {

using namespace harness;
using namespace harness::simulate;
using Catch::Approx;
using Does = Entry::Does;

/// No call costs anything but the copy: its start is 0, so that its time is its bytes over 1 GB/s.
Gpu plain() {
  auto gpu = find_gpu("a30");
  for (const auto* value : {"copy_call", "copy_start", "reach", "gap", "wake", "launch"})
    gpu.values[value] = 0;
  for (const auto* setting : {"link_generation=1", "link_rate_1=1", "link_share=1"}) set_value(gpu, setting);
  return gpu;
}

RowRecord copies(double naive, double optimized) {
  const auto form = [](const char* name, double bytes) {
    return FormRecord{name, {{.does = Does::copy, .bytes = bytes, .way = "h2d", .waits = true}}, {}};
  };
  return {"row", {form("naive", naive), form("optimized", optimized)}};
}

const ModelErrors half_to_double{{{Kind::pinned, {.lowest = 0.5, .highest = 2, .figures = 9}}}, {}};

/// 2 s into the device and 1 s out of it: one after the other, and side by side.
RowRecord both_ways() {
  const auto copy = [](const char* way, int stream, double bytes) {
    return Entry{.does = Does::copy, .stream = stream, .bytes = bytes, .way = way};
  };
  return {"row",
          {{"naive", {copy("h2d", 1, 2e9), copy("d2h", 1, 1e9)}, {}},
           {"optimized", {copy("h2d", 1, 2e9), copy("d2h", 2, 1e9)}, {}}}};
}

TEST_CASE("a time that is all of one kind has that kind's range for an interval", "[simulate]") {
  const auto intervals = row_intervals(copies(4e9, 1e9), plain(), half_to_double);
  CHECK(intervals.forms[0].low == Approx(2));
  CHECK(intervals.forms[0].high == Approx(8));
}

TEST_CASE("calls that both forms make share their error, which leaves the ratio alone", "[simulate]") {
  auto row = copies(1e9, 1e9);
  row.forms[0].entries[0].times = 4;
  const auto intervals = row_intervals(row, plain(), half_to_double);
  CHECK(intervals.ratio.low == Approx(0.25));
  CHECK(intervals.ratio.high == Approx(0.25));
}

/// Each form may take half or twice its time: exp(sqrt(2) ln 2) = 2.665.
TEST_CASE("calls that only one form makes have errors of their own", "[simulate]") {
  const auto intervals = row_intervals(copies(4e9, 1e9), plain(), half_to_double);
  CHECK(intervals.ratio.low == Approx(0.25 / 2.665).epsilon(1e-3));
  CHECK(intervals.ratio.high == Approx(0.25 * 2.665).epsilon(1e-3));
}

TEST_CASE("the ways to the device and back are a part of what a launch costs", "[simulate]") {
  auto gpu = plain();
  set_value(gpu, "wake=1000");
  const ModelErrors doubled{{{Kind::host, {.lowest = 0.5, .highest = 1, .figures = 9}}}, {}};
  const auto interval = row_intervals(copies(1e6, 1e6), gpu, doubled).forms[0];
  CHECK(interval.low == Approx(2e-3));  // 1 ms for the copy, 1 ms until the host goes on
  CHECK(interval.high == Approx(3e-3));
}

TEST_CASE("a kind that a row does not use does not widen its interval", "[simulate]") {
  const auto intervals = row_intervals(copies(1e9, 1e9), plain(),
                                       {{{Kind::product, {.lowest = 0.1, .highest = 10, .figures = 9}}}, {}});
  CHECK(intervals.forms[0].low == Approx(1));
  CHECK(intervals.forms[0].high == Approx(1));
}

TEST_CASE("the model's own errors have a range for each kind, on both sides of their middle", "[simulate]") {
  const auto ranges = known_errors().kinds;
  for (const auto kind : kinds) {
    REQUIRE(ranges.contains(kind));
    CHECK(ranges.at(kind).figures >= 4);
    CHECK(ranges.at(kind).lowest < 1);
    CHECK(ranges.at(kind).highest > 1);
  }
}

TEST_CASE("copies both ways at once may lose as much for each second as published ones did", "[simulate]") {
  const ModelErrors half_lost{{}, {{Overlap::both_ways, {.lowest = 0.25, .highest = 0.5, .figures = 9}}}};
  const auto intervals = row_intervals(both_ways(), plain(), half_lost);
  CHECK(intervals.forms[0].low == Approx(3));
  CHECK(intervals.forms[0].high == Approx(3));
  CHECK(intervals.forms[1].low == Approx(2));
  CHECK(intervals.forms[1].high == Approx(2.5));
  CHECK(intervals.ratio.low == Approx(2.0 / 3));
  CHECK(intervals.ratio.high == Approx(2.5 / 3));
}

TEST_CASE("published copies both ways lost about as much as they overlapped", "[simulate]") {
  const auto lost = known_errors().overlaps.at(Overlap::both_ways);
  CHECK(lost.figures == 2);
  CHECK(lost.lowest == Approx(1 / 0.51 - 1).epsilon(0.03));
  CHECK(lost.highest == Approx(1 / 0.46 - 1).epsilon(0.03));
}

TEST_CASE("the time that two engines work side by side is counted once", "[simulate]") {
  Timeline line;
  const auto span = [](Engine engine, Nanoseconds begin, Nanoseconds end) {
    return DeviceSpan{.engine = engine, .begin = begin, .end = end};
  };
  line.device = {span(Engine::to_device, 0, 10), span(Engine::multiprocessors, 5, 20),
                 span(Engine::multiprocessors, 6, 12), span(Engine::to_host, 8, 30)};
  CHECK(overlapped(line, Overlap::both_ways) == 2);
  CHECK(overlapped(line, Overlap::beside_kernels) == 15);
}

TEST_CASE("a time line as text has a line for host and engine on one scale", "[simulate]") {
  const auto row = simulate_row(copies(4e9, 2e9), plain());
  const auto text = lines_text({row});
  const std::string all(64, '#');
  const std::string waits(64, '.');
  const std::string half = std::string(32, '#') + std::string(32, ' ');
  CHECK(text.find("  copies in |" + all + "|") != std::string::npos);
  CHECK(text.find("  copies in |" + half + "|") != std::string::npos);
  CHECK(text.find("  host      |" + waits + "|") != std::string::npos);
  CHECK(text.find("kernels") == std::string::npos);
}

}  // namespace
