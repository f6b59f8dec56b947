#include "tests/harness/core/noise.hpp"

#include "harness/core/allot.hpp"
#include "harness/core/verdict.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace harness;
using Catch::Approx;

namespace {

const Rule rule{.looks = allotted_looks, .early = early_looks};
const double band = std::log1p(0.03);

bool has(const Judgement& judged, const std::string& flag) {
  return std::ranges::find(judged.flags, flag) != judged.flags.end();
}

/// How often n rounds of that noise, whose median is 0, miss it at an error of 5 %.
template <class Draw>
int missed(int n, int trials, const Draw& draw) {
  example::Noise noise(41);
  int misses = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> units(static_cast<std::size_t>(n));
    for (auto& unit : units) unit = draw(noise);
    const auto range = *widened_range(units, 0.05);
    misses += range.low > 0 || range.high < 0 ? 1 : 0;
  }
  return misses;
}

}  // namespace

TEST_CASE("the range of three rounds is widened 26 times, of six once and a half, of ten not at all",
          "[early]") {
  CHECK(widening(3, rule.alpha_early()) == Approx(26.386).epsilon(1e-4));
  CHECK(widening(4, rule.alpha_early()) == Approx(6.2112).epsilon(1e-4));
  CHECK(widening(6, rule.alpha_early()) == Approx(1.47967).epsilon(1e-4));
  CHECK(widening(10, interval_error(10, 1)) == Approx(0).margin(1e-12));
}

TEST_CASE("all looks together err in at most 1 %", "[early]") {
  double sum = rule.alpha_early() * static_cast<double>(rule.early.size());
  for (const auto look : rule.looks) sum += interval_error(look, order_statistic(look, rule.alpha_look()));
  CHECK(sum <= rule.alpha);
  CHECK(sum > 0.99 * rule.alpha);
}

TEST_CASE("rows that share the error are judged at the first number of rounds that has an interval",
          "[early]") {
  // 2 x 2^-R is at most a fifth of the error, or a quarter where R has passed the look after 14 rounds: of
  // two rows 2^-10 <= 0.001, of three 2^-11 <= 0.00066, of five 2^-12 <= 0.0004, of nine 2^-13 <= 0.00027,
  // of 21 2^-14 <= 0.00011, of 99 2^-16 <= 0.000025.
  const auto looks_of = [](int rows) { return looks_with_interval(allotted_looks, 0.01 / rows); };
  CHECK(looks_of(1) == std::vector{10, 14, 21, 35, 56});
  CHECK(looks_of(2) == std::vector{11, 14, 21, 35, 56});
  CHECK(looks_of(3) == std::vector{12, 14, 21, 35, 56});
  CHECK(looks_of(4) == std::vector{12, 14, 21, 35, 56});
  CHECK(looks_of(5) == std::vector{13, 14, 21, 35, 56});
  CHECK(looks_of(9) == std::vector{14, 21, 35, 56});
  CHECK(looks_of(21) == std::vector{15, 21, 35, 56});
  CHECK(looks_of(99) == std::vector{17, 21, 35, 56});
  CHECK(looks_with_interval({3}, 0.01) == std::vector{8});
}

TEST_CASE("all looks of rows that share the error hold it together", "[early]") {
  for (int rows = 1; rows < 100; ++rows) {
    INFO(rows);
    const auto alpha = 0.01 / rows;
    const Rule shared{
        .looks = looks_with_interval(allotted_looks, alpha), .alpha = alpha, .early = early_looks};
    double sum = shared.alpha_early() * static_cast<double>(early_looks.size());
    for (const auto look : shared.looks) {
      const auto k = order_statistic(look, shared.alpha_look());
      CHECK(k > 0);
      sum += interval_error(look, k);
    }
    CHECK(sum <= alpha);
  }
}

TEST_CASE(
    "noise that is as frequent everywhere is missed as often as promised, the worst that thins out less",
    "[early]") {
  constexpr int trials = 40'000;
  const auto most = 0.05 * trials + 3 * std::sqrt(0.05 * trials);
  const auto least = 0.05 * trials - 3 * std::sqrt(0.05 * trials);
  for (const auto n : {3, 4}) {  // more rounds are not widened at this error
    INFO(n);
    const auto flat = missed(n, trials, [](example::Noise& noise) { return noise.uniform() - 0.5; });
    CHECK(flat <= most);
    CHECK(flat >= least);
    CHECK(missed(n, trials, [](example::Noise& noise) { return noise.normal(); }) < flat);
    CHECK(missed(n, trials, [](example::Noise& noise) { return noise.student3(); }) < flat);
  }
}

TEST_CASE("a p-value is the error at which the widened range begins at the threshold", "[early]") {
  const std::vector<double> units{0.5, 0.52, 0.51, 0.54};
  const auto p = p_plainly_above(units, 0.3);
  CHECK(widened_range(units, 2 * p)->low == Approx(0.3));
  CHECK(p_plainly_above(units, 0.5) == 1);
  std::vector<double> mirrored;
  for (const auto unit : units) mirrored.push_back(-unit);
  CHECK(p_plainly_below(mirrored, -0.3) == Approx(p));
  CHECK(p_plainly_above(std::vector<double>{}, 0) == 1);
}

TEST_CASE("a change far beyond its scatter is decided after three rounds", "[early]") {
  const auto judged = judge(std::vector{-2.40, -2.38, -2.41}, rule);
  CHECK(judged.verdict == Verdict::helps);
  CHECK(judged.early());
  CHECK(judged.ratio_interval->low < std::exp(-2.41));
  CHECK(judge(std::vector{2.40, 2.38, 2.41}, rule).verdict == Verdict::hurts);
}

TEST_CASE("rounds that scatter more wait for the look that is enough for them", "[early]") {
  const std::vector units{-0.40, -0.36, -0.42, -0.39, -0.41, -0.38};
  const auto after = [&](std::size_t n) { return judge(std::span(units).first(n), rule); };
  CHECK(after(3).verdict == Verdict::inconclusive);
  CHECK(has(after(3), "only 3 of 10 rounds"));
  CHECK(after(4).verdict == Verdict::inconclusive);
  CHECK(after(5).ratio_interval == after(4).ratio_interval);  // between looks nothing is judged
  CHECK(after(6).verdict == Verdict::helps);
}

TEST_CASE("a change within three bands waits for ten rounds, however little it scatters", "[early]") {
  const std::vector<double> near(6, 2.99 * band), far(6, 3.01 * band);
  CHECK(judge(near, rule).verdict == Verdict::inconclusive);
  CHECK(judge(far, rule).verdict == Verdict::hurts);
}

namespace {

/// Processes of a row whose optimized form lies at `effect`, each form so far from its least to its most.
Processes processes(double effect, double naive, double optimized, int of_each, bool counted = false) {
  return {.naive = {-naive / 2, naive / 2},
          .optimized = {effect - optimized / 2, effect + optimized / 2},
          .of_each = of_each,
          .counted = counted};
}

}  // namespace

TEST_CASE("counts that repeat need one band, where they lie closer together than the rounds beyond it",
          "[early]") {
  // +5.13 % in each of three rounds: 0.05 - ln 1.03 = 0.0204 beyond the band.
  UnitEvidence evidence{{0.05, 0.05, 0.05}};
  CHECK(judge(evidence, rule).verdict == Verdict::inconclusive);
  evidence.processes = processes(0.05, 0, 0.0204, 6, true);
  CHECK(judge(evidence, rule).verdict == Verdict::hurts);
  evidence.processes->counted = false;
  CHECK(judge(evidence, rule).verdict == Verdict::inconclusive);
  evidence.processes = processes(0.05, 0, 0.0205, 6, true);
  CHECK(judge(evidence, rule).verdict == Verdict::inconclusive);
  evidence.processes = processes(-0.05, 0, 0, 6, true);
  evidence.log_ratios = {-0.05, -0.05, -0.05};
  CHECK(judge(evidence, rule).verdict == Verdict::helps);
  evidence.log_ratios = {0.029, 0.029, 0.029};
  CHECK(judge(evidence, rule).verdict == Verdict::no_effect);
}

TEST_CASE("counts that repeat take as many processes as keep heaps to a twentieth of the error", "[early]") {
  const auto after = [](int of_each, double alpha) {
    UnitEvidence evidence{{0.05, 0.05, 0.05}};
    evidence.processes = processes(0.05, 0, 0.01, of_each, true);
    return judge(evidence, {.looks = allotted_looks, .alpha = alpha, .early = early_looks}).verdict;
  };
  // 2 x 4^-5 = 0.00195, 4^-6 makes 0.00049, 4^-7 0.00012.
  CHECK(after(5, 0.01) == Verdict::inconclusive);
  CHECK(after(6, 0.01) == Verdict::hurts);
  CHECK(after(6, 0.005) == Verdict::inconclusive);  // two rows share the error
  CHECK(after(7, 0.005) == Verdict::hurts);
}

TEST_CASE("the widened range holds for counts, too", "[early]") {
  // 29.6 times the range: 0.05 - 29.6 x 0.0005 = 0.0352 and 0.05 - 29.6 x 0.001 = 0.0204, of a band of
  // 0.0296.
  UnitEvidence evidence{{0.05, 0.05, 0.0505}};
  evidence.processes = processes(0.05, 0.001, 0.001, 6, true);
  CHECK(judge(evidence, rule).verdict == Verdict::hurts);
  evidence.log_ratios.back() = 0.051;
  CHECK(judge(evidence, rule).verdict == Verdict::inconclusive);
}

TEST_CASE("processes of two commands that lie apart tell where rounds scatter", "[early]") {
  // 0.5 +- 0.1 against 0 +- 0.1: at least 0.3 and at most 0.7 apart.
  UnitEvidence evidence{{0.45, 0.5, 0.55, 0.6}};
  CHECK(judge(evidence, rule).verdict == Verdict::inconclusive);
  evidence.processes = processes(0.5, 0.2, 0.2, 8);
  auto judged = judge(evidence, rule);
  CHECK(judged.verdict == Verdict::hurts);
  CHECK(judged.early());
  CHECK(judged.ratio_interval->low == Approx(std::exp(0.3)));
  CHECK(judged.ratio_interval->high == Approx(std::exp(0.7)));
  CHECK(judged.method == CiMethod::mann_whitney);
  CHECK(judged.alpha_actual == Approx(2.0 / 12870));
  // Half of [0.3, 0.7], and 1.645 spreads of rounds whose sd is 1.4826 x 0.05, of which there are four.
  CHECK(judged.smallest_effect ==
        Approx(rule.delta + 0.2 + 1.645 * 1.2533 * 1.4826 * 0.05 / 2).epsilon(1e-3));
  evidence.processes = processes(0.22, 0.2, 0.2, 8);  // 0.02 apart, within the band
  judged = judge(evidence, rule);
  CHECK(judged.verdict == Verdict::inconclusive);
  CHECK(judged.ratio_interval->low == Approx(std::exp(0.02)));
  evidence.processes = processes(-0.5, 0.2, 0.2, 8);
  evidence.log_ratios = {-0.45, -0.5, -0.55, -0.6};
  CHECK(judge(evidence, rule).verdict == Verdict::helps);
}

TEST_CASE("processes of equal commands within the band are equal", "[early]") {
  UnitEvidence evidence{{0.004, -0.004, 0.003, -0.003}};  // widened 6.8 times: beyond the band
  evidence.processes = processes(0, 0.028, 0.028, 8);
  CHECK(judge(evidence, rule).verdict == Verdict::no_effect);
  evidence.processes = processes(0, 0.031, 0.031, 8);
  CHECK(judge(evidence, rule).verdict == Verdict::inconclusive);
}

TEST_CASE("as many processes tell as keep their order to a fiftieth of the error, and such as scatter alike",
          "[early]") {
  const auto tells = [](int of_each, double alpha, double naive = 0.1, double optimized = 0.1) {
    return process_interval(processes(0.5, naive, optimized, of_each), {.alpha = alpha}).has_value();
  };
  // 2 / C(14, 7) = 2 / 3432 = 0.00058, 2 / C(16, 8) = 2 / 12870 = 0.000155, 2 / C(20, 10) = 0.0000108.
  CHECK_FALSE(tells(7, 0.01));
  CHECK(tells(8, 0.01));
  CHECK_FALSE(tells(8, 0.005));
  CHECK(tells(10, 0.005));
  CHECK(tells(8, 0.01, 0.1, 0.19));
  CHECK_FALSE(tells(8, 0.01, 0.1, 0.21));
  CHECK_FALSE(tells(8, 0.01, 0.21, 0.1));
  CHECK(tells(8, 0.01, 0, 0));
}

TEST_CASE("a plain difference of one row takes four rounds, of two rows six, and of short runs three",
          "[early]") {
  const auto look = [](double alpha, int of_each_in_round) {
    return first_process_look({.looks = allotted_looks, .alpha = alpha, .early = early_looks},
                              of_each_in_round);
  };
  CHECK(look(0.01, 2) == 4);
  CHECK(look(0.005, 2) == 6);
  CHECK(look(0.005, 4) == 3);
  CHECK(first_process_look({.looks = {11}, .alpha = 0.01}, 2) == 11);
}

TEST_CASE("what may be told by processes has its error from the widened range", "[early]") {
  double sum =
      rule.alpha_beside_processes() * static_cast<double>(rule.early.size()) + rule.alpha_processes();
  for (const auto look : rule.looks) sum += interval_error(look, order_statistic(look, rule.alpha_look()));
  CHECK(sum <= rule.alpha);
  CHECK(widening(3, rule.alpha_beside_processes()) == Approx(29.62).epsilon(1e-3));
  CHECK(widening(4, rule.alpha_beside_processes()) == Approx(6.768).epsilon(1e-3));
  CHECK(widening(6, rule.alpha_beside_processes()) == Approx(1.593).epsilon(1e-3));
}

TEST_CASE("forms whose rounds hardly scatter about 0 are equal", "[early]") {
  CHECK(judge(std::vector(3, 0.0), rule).verdict == Verdict::no_effect);
  CHECK(judge(std::vector{0.001, -0.001, 0.0}, rule).verdict == Verdict::inconclusive);
  CHECK(judge(std::vector{0.001, -0.001, 0.0, 0.001}, rule).verdict == Verdict::no_effect);
}

TEST_CASE("a rule without early looks says nothing before its first look", "[early]") {
  const auto judged = judge(std::vector(9, -2.0), Rule{.looks = allotted_looks});
  CHECK(judged.verdict == Verdict::inconclusive);
  CHECK(judged.too_few);
  CHECK_FALSE(judged.early());
  CHECK_FALSE(judged.ratio_interval);
}

TEST_CASE("what a canary met takes away the early verdict that it could have made", "[early]") {
  UnitEvidence evidence{{-0.5, -0.5, -0.5}};
  evidence.disturbances = {.marked = 0.4, .off = 0.45};
  CHECK(judge(evidence, rule).verdict == Verdict::helps);
  evidence.disturbances.off = 0.48;
  const auto judged = judge(evidence, rule);
  CHECK(judged.verdict == Verdict::inconclusive);
  CHECK(has(judged, "unstable machine"));
}

TEST_CASE(
    "a carry-over of one sign in all rounds takes away the early verdict that its largest could have made",
    "[early]") {
  UnitEvidence evidence{{-0.5, -0.5, -0.5}, {0.3, 0.4, 0.48}};
  CHECK(judge(evidence, rule).verdict == Verdict::inconclusive);
  CHECK(has(judge(evidence, rule), "carryover"));
  evidence.carries.back() = 0.45;
  CHECK(judge(evidence, rule).verdict == Verdict::helps);
  evidence.carries = {0.3, -0.4, 0.48};
  CHECK_FALSE(has(judge(evidence, rule), "carryover"));
}
