#include "harness/core/slot_order.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cmath>

using namespace harness;
using Catch::Approx;

namespace {

/// A crossed pair: ABBA, then BAAB; ln of each slot's seconds.
void add_pair(std::vector<Sample>& slots, int unit, int pair,
              const std::array<std::array<double, 4>, 2>& logs) {
  for (int quad = 0; quad < 2; ++quad)
    for (int slot = 0; slot < 4; ++slot) {
      const bool outer = slot == 0 || slot == 3;
      const auto log = logs[static_cast<std::size_t>(quad)][static_cast<std::size_t>(slot)];
      slots.push_back({.round = unit,
                       .pair = pair,
                       .quad = quad,
                       .slot = slot,
                       .form = (quad == 0) == outer ? Form::naive : Form::optimized,
                       .seconds = std::exp(log)});
    }
}

}  // namespace

TEST_CASE("the log ratio of a pair is the mean of its two quads, worked by hand", "[slots]") {
  std::vector<Sample> slots;
  add_pair(slots, 0, 0, {{{0, 0.1, 0.3, 0}, {0.4, 0, 0, 0.4}}});  // 0.2 and 0.4
  add_pair(slots, 0, 1, {{{0, 1, 1, 0}, {1, 0, 0, 1}}});
  add_pair(slots, 1, 0, {{{0, 0, 0, 0}, {0, 0, 0, 0}}});
  const auto ratios = pair_log_ratios(slots);
  REQUIRE(ratios.size() == 2);
  REQUIRE(ratios[0].size() == 2);
  CHECK(ratios[0][0] == Approx(0.3));
  CHECK(ratios[0][1] == Approx(1));
  CHECK(ratios[1][0] == Approx(0).margin(1e-12));
}

TEST_CASE("the carry-over of a unit is the optimized form's less the naive form's", "[slots]") {
  std::vector<Sample> slots;
  add_pair(slots, 3, 0, {{{0, 0.54, 0.5, 0.04}, {0, 0.01, 0, 0.01}}});  // ABBA: 0.04, BAAB: 0.01
  const auto carries = carry_differences(slots);
  REQUIRE(carries.size() == 1);
  CHECK(carries[0] == Approx(0.03));
}

TEST_CASE("what both forms carry over alike is not a difference", "[slots]") {
  std::vector<Sample> slots;
  add_pair(slots, 0, 0, {{{0.04, 0.54, 0.5, 0.04}, {0.54, 0.04, 0, 0.54}}});
  REQUIRE(carry_differences(slots).size() == 1);
  CHECK(carry_differences(slots)[0] == Approx(0).margin(1e-12));
}

TEST_CASE("a quad that lost a slot, or has a time that is none, is left out", "[slots]") {
  std::vector<Sample> slots;
  add_pair(slots, 0, 0, {{{0, 0, 0, 0}, {0, 0, 0, 0}}});
  slots[1].seconds = 0;
  CHECK(pair_log_ratios(slots).empty());
  CHECK(carry_differences(slots).empty());  // no quad is left with the optimized form inside
  CHECK(carry_differences({}).empty());
}
