#include "harness/stats/throttle.hpp"

#include "harness/stats/verdict.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace harness;

namespace {

Judgement judge_disturbed(const Throttling& throttling) {
  return judge(UnitEvidence{std::vector<double>(14, std::log(0.5)), {}, throttling}, {});
}

bool has(const Judgement& judged, const char* flag) {
  return std::ranges::find(judged.flags, flag) != judged.flags.end();
}

}  // namespace

TEST_CASE("heat, power brake and hardware slowdown discard a quad; idle and power cap do not", "[throttle]") {
  for (const auto bits : {0x8u, 0x20u, 0x40u, 0x80u, 0x28u}) CHECK(must_discard(bits));
  for (const auto bits : {0x0u, 0x1u, 0x2u, 0x4u, 0x10u}) CHECK_FALSE(must_discard(bits));
  CHECK(power_capped(0x5));
}

TEST_CASE("a row with a discarded quad says so and keeps its verdict", "[throttle]") {
  const auto judged = judge_disturbed({.discarded = 0.1});
  CHECK(has(judged, "throttled"));
  CHECK(judged.verdict == Verdict::helps);
}

TEST_CASE("more than a fifth of the quads discarded leaves no verdict", "[throttle]") {
  const auto judged = judge_disturbed({.discarded = 0.21});
  CHECK(has(judged, "unstable machine"));
  CHECK(judged.verdict == Verdict::inconclusive);
}

TEST_CASE("a power cap that one form met more often is named", "[throttle]") {
  CHECK(has(judge_disturbed({.capped_naive = 0.3, .capped_optimized = 0.5}), "power-imbalance"));
  CHECK_FALSE(has(judge_disturbed({.capped_naive = 0.5, .capped_optimized = 0.55}), "power-imbalance"));
}
