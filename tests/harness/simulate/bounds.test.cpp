#include "harness/simulate/bounds.hpp"

#include "harness/simulate/line_text.hpp"
#include "harness/simulate/simulate.hpp"

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

const std::map<Kind, FactorRange> half_to_double{{Kind::pinned, {.lowest = 0.5, .highest = 2, .figures = 9}}};

TEST_CASE("a time that is all of one kind has that kind's range for an interval", "[simulate]") {
  const auto intervals = row_intervals(copies(4e9, 1e9), plain(), half_to_double);
  CHECK(intervals.forms[0].low == Approx(2));
  CHECK(intervals.forms[0].high == Approx(8));
}

TEST_CASE("an error that both forms share leaves their ratio alone", "[simulate]") {
  const auto intervals = row_intervals(copies(4e9, 1e9), plain(), half_to_double);
  CHECK(intervals.ratio.low == Approx(0.25));
  CHECK(intervals.ratio.high == Approx(0.25));
}

TEST_CASE("a kind that a row does not use does not widen its interval", "[simulate]") {
  const auto intervals = row_intervals(copies(1e9, 1e9), plain(),
                                       {{Kind::product, {.lowest = 0.1, .highest = 10, .figures = 9}}});
  CHECK(intervals.forms[0].low == Approx(1));
  CHECK(intervals.forms[0].high == Approx(1));
}

TEST_CASE("the model's own errors have a range for each kind, on both sides of their middle", "[simulate]") {
  const auto ranges = factor_ranges();
  for (const auto kind : kinds) {
    REQUIRE(ranges.contains(kind));
    CHECK(ranges.at(kind).figures >= 4);
    CHECK(ranges.at(kind).lowest < 1);
    CHECK(ranges.at(kind).highest > 1);
  }
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
