#include "harness/core/gate.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_vector.hpp>

#include <array>
#include <cmath>

using namespace harness;
using Catch::Matchers::Approx;

namespace {

const std::vector<double> five = {0.01, 0.04, 0.03, 0.005, 0.5};

std::vector<PairUnits> fifty_equal_pairs(const std::vector<double>& units) {
  return std::vector<PairUnits>(50, PairUnits{units});
}

}  // namespace

TEST_CASE("Holm's adjusted p-values, worked by hand", "[many]") {
  // Rising: 0.005 x 5, 0.01 x 4, 0.03 x 3, then 0.04 x 2 = 0.08 which may not fall below 0.09, and 0.5.
  CHECK_THAT(holm(five), Approx(std::vector{0.04, 0.09, 0.09, 0.025, 0.5}));
  CHECK_THAT(holm(std::vector{0.9, 0.8}), Approx(std::vector{1.0, 1.0}));
  CHECK(holm({}).empty());
}

TEST_CASE("Benjamini and Hochberg's adjusted p-values, worked by hand", "[many]") {
  // From the top: 0.5, 0.04 x 5/4, 0.03 x 5/3 = 0.05, 0.01 x 5/2, 0.005 x 5 = 0.025. scipy says the same.
  CHECK_THAT(benjamini_hochberg(five), Approx(std::vector{0.025, 0.05, 0.05, 0.025, 0.5}));
  CHECK(benjamini_hochberg({}).empty());
}

TEST_CASE("a gate of 50 pairs needs 14 units, of 55 and of 100 pairs 15", "[many]") {
  CHECK(gate_units(50, 0.01, 3) == 14);
  CHECK(gate_units(54, 0.01, 3) == 14);
  CHECK(gate_units(55, 0.01, 3) == 15);
  CHECK(gate_units(100, 0.01, 3) == 15);
}

TEST_CASE("a gate that no slowdown could fail is refused, saying how many units it takes", "[many]") {
  CHECK(gate_refusal(50, 14, 0.01, 3).empty());
  CHECK(
      gate_refusal(50, 12, 0.01, 3) ==
      "gating 50 pairs takes at least 14 units each, and there are 12; no slowdown could ever fail the gate");
}

TEST_CASE("with fewer units than needed even the largest slowdown passes Holm, hence the refusal", "[many]") {
  const std::vector<double> twelve(12, 1.0);
  std::vector<PairUnits> pairs(50, PairUnits{std::span(twelve)});
  std::vector<double> calm(12, 0.0);
  for (std::size_t i = 1; i < pairs.size(); ++i) pairs[i].log_ratios = calm;
  CHECK(judge_family(pairs).front().gate_p > 0.01 / 3);
}

TEST_CASE("one slow pair among fifty fails the gate and stands in one list only", "[many]") {
  const std::vector<double> slow(14, std::log(1.2));
  const std::vector<double> calm(14, 0.001);
  auto pairs = fifty_equal_pairs(calm);
  pairs[7].log_ratios = slow;
  const auto lists = judge_family(pairs);
  CHECK(lists[7].gate_p == Catch::Approx(50.0 / 16384));
  CHECK(lists[7].gate_p <= 0.01 / 3);
  CHECK((lists[7].hurts && !lists[7].helps && !lists[7].equal));
  CHECK((lists[6].equal && !lists[6].hurts && !lists[6].helps));
  CHECK(lists[6].gate_p == 1);
}

TEST_CASE("p-values are those of the rule that has made the interval", "[many]") {
  const std::vector<double> units{0.05, 0.3, 0.5, 0.6};
  const Processes apart{.naive = {0, 0.1}, .optimized = {0.2, 0.3}, .of_each = 8};
  const auto p_hurts = [&](CiMethod method) {
    return judge_family(std::array{PairUnits{.log_ratios = units, .method = method, .processes = apart}})
        .front()
        .p_hurts;
  };
  CHECK(p_hurts(CiMethod::mann_whitney) == Catch::Approx(1.0 / 12870));
  CHECK(p_hurts(CiMethod::widened_range) == Catch::Approx(p_plainly_above(units, std::log1p(0.03))));
  CHECK(p_hurts(CiMethod::median_binomial) == Catch::Approx(1.0 / 16));
}

TEST_CASE("processes within the band speak for no effect alone", "[many]") {
  const std::vector<double> units{-0.01, 0.01, 0.02, -0.02};
  const Processes alike{.naive = {0, 0.01}, .optimized = {0, 0.01}, .of_each = 8};
  const auto lists = judge_family(
      std::array{PairUnits{.log_ratios = units, .method = CiMethod::mann_whitney, .processes = alike}});
  CHECK(lists[0].p_equal == Catch::Approx(1.0 / 12870));
  CHECK((lists[0].p_hurts == 1 && lists[0].p_helps == 1));
}

TEST_CASE("a slowdown between the list's margin and the gate's is listed and fails nothing", "[many]") {
  const std::vector<double> units(14, std::log(1.04));
  const auto lists = judge_family(std::array{PairUnits{units, 0.03, 0.05}});
  CHECK(lists[0].hurts);
  CHECK(lists[0].gate_p == 1);
}
