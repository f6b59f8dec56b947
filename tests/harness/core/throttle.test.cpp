#include "harness/core/disturbances.hpp"
#include "harness/core/verdict.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace harness;

namespace {

Judgement judge_disturbed(const Disturbances& seen) {
  return judge(UnitEvidence{std::vector<double>(14, std::log(0.5)), {}, seen}, {});
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

TEST_CASE("a machine whose canary was off in more than a fifth of the rounds is named", "[throttle]") {
  CHECK(has(judge_disturbed({.marked = 0.21, .off = 0.1}), "unstable machine"));
  CHECK_FALSE(has(judge_disturbed({.marked = 0.2, .off = 0.1}), "unstable machine"));
}

TEST_CASE("a verdict stands where it is larger than what the canary met, and falls where it is not",
          "[throttle]") {
  CHECK(judge_disturbed({.marked = 0.3, .off = std::log(1.9)}).verdict == Verdict::helps);
  CHECK(judge_disturbed({.marked = 0.3, .off = std::log(2.0)}).verdict == Verdict::inconclusive);
}

TEST_CASE("where it is known how far the ratio moves with the disturbance, that counts alone", "[throttle]") {
  CHECK(judge_disturbed({.marked = 0.3, .off = 5, .sway = 0.0}).verdict == Verdict::helps);
  CHECK(judge_disturbed({.marked = 0.3, .off = 5, .sway = std::log(1.9)}).verdict == Verdict::helps);
  CHECK(judge_disturbed({.marked = 0.3, .off = 0, .sway = std::log(2.0)}).verdict == Verdict::inconclusive);
  CHECK(judge_disturbed({.marked = 0.1, .off = 5, .sway = 5.0}).verdict ==
        Verdict::helps);  // a steady machine
}
