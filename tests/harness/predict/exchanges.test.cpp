// A real training step of two ranks: parallel/overlap, recorded by `tuneproof profile` and cut to one step.
#include "tests/harness/trace/made_up.hpp"

#include "harness/predict/count_trace.hpp"
#include "harness/trace/trace.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <string>

namespace {

using namespace harness::predict;
using Catch::Approx;

constexpr std::int64_t mib = 1 << 20;

Counted recorded(const std::string& form) {
  const auto file = tests::golden_directory() / "ranks" / ("overlap_" + form + ".trace.json.gz");
  return count_trace(harness::trace::read_trace(file), 1, /*ranks=*/2);
}

double times(const Counts& counts, std::int64_t bytes) {
  const auto found = counts.find({Piece::exchange, bytes, "gloo/ranks:2"});
  return found == counts.end() ? 0 : found->second;
}

TEST_CASE("the one exchange that was recorded behind a backward pass is exposed", "[predict]") {
  const auto counted = recorded("naive");
  CHECK(times(counted.exposed, 8 * mib) == Approx(1));
  CHECK(times(counted.hidden, 8 * mib) == 0);
}

TEST_CASE("of recorded buckets that part is hidden that the thread's operators cover", "[predict]") {
  // By hand: Gloo's two threads take 51.538 ms for the buckets, 27.184 ms with what they do at once counted
  // once; 6.963 ms of these lie beside operators.
  constexpr auto exposed = 8 * (27.184086 - 6.962590) / 51.538368;
  const auto counted = recorded("optimized");
  CHECK(times(counted.exposed, mib) == Approx(exposed).epsilon(0.001));
  CHECK(times(counted.hidden, mib) == Approx(8 - exposed).epsilon(0.001));
}

}  // namespace
