#include "harness/core/verdict.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace harness;

namespace {

const double band = std::log1p(0.03);

std::vector<double> all(std::size_t n, double value) { return std::vector<double>(n, value); }

bool has_flag(const Judgement& judged, const std::string& flag) {
  return std::ranges::find(judged.flags, flag) != judged.flags.end();
}

}  // namespace

TEST_CASE("an interval below the band helps, above it hurts, within it has no effect", "[verdict]") {
  CHECK(judge_interval({-0.7, -0.6}, 0.03) == Verdict::helps);
  CHECK(judge_interval({0.1, 0.2}, 0.03) == Verdict::hurts);
  CHECK(judge_interval({-0.01, 0.02}, 0.03) == Verdict::no_effect);
}

TEST_CASE("an interval that reaches over an edge of the band decides nothing", "[verdict]") {
  CHECK(judge_interval({-0.1, -0.01}, 0.03) == Verdict::inconclusive);
  CHECK(judge_interval({0.01, 0.1}, 0.03) == Verdict::inconclusive);
  CHECK(judge_interval({-0.1, 0.1}, 0.03) == Verdict::inconclusive);
}

TEST_CASE("the edge of the band belongs to no effect, and not to an effect", "[verdict]") {
  CHECK(judge_interval({-band, band}, 0.03) == Verdict::no_effect);
  CHECK(judge_interval({-0.5, -band}, 0.03) == Verdict::inconclusive);
  CHECK(judge_interval({-0.5, std::nextafter(-band, -1.0)}, 0.03) == Verdict::helps);
  CHECK(judge_interval({band, 0.5}, 0.03) == Verdict::inconclusive);
  CHECK(judge_interval({std::nextafter(band, 1.0), 0.5}, 0.03) == Verdict::hurts);
  CHECK(judge_interval({std::nextafter(-band, -1.0), 0}, 0.03) == Verdict::inconclusive);
}

TEST_CASE("fourteen equal rounds at half the time help, with an interval of no width", "[verdict]") {
  const auto judged = judge(all(14, std::log(0.5)), {});
  CHECK(judged.verdict == Verdict::helps);
  CHECK(judged.ratio == Catch::Approx(0.5));
  CHECK(judged.ratio_interval->low == Catch::Approx(0.5));
  CHECK(judged.ratio_interval->high == Catch::Approx(0.5));
  CHECK(judged.sd == 0);
  CHECK(judged.smallest_effect == Catch::Approx(0.03));
}

TEST_CASE("fewer rounds than the first look decide nothing, whatever they say", "[verdict]") {
  const auto judged = judge(all(13, std::log(0.1)), {});
  CHECK(judged.verdict == Verdict::inconclusive);
  CHECK(has_flag(judged, "only 13 of 14 rounds"));
  CHECK(judged.ratio_interval);  // an interval can be shown, a verdict cannot fall
  CHECK_FALSE(judge(all(3, 0), {}).ratio_interval);
}

TEST_CASE("no rounds at all decide nothing", "[verdict]") {
  const auto judged = judge(std::span<const double>{}, {});
  CHECK(judged.verdict == Verdict::inconclusive);
  CHECK(has_flag(judged, "only 0 of 14 rounds"));
}

TEST_CASE("alpha is split evenly over the looks", "[verdict]") {
  const Rule three{.looks = {14, 28, 56}};
  CHECK(three.alpha_look() == Catch::Approx(0.01 / 3));
  CHECK(judge(all(14, 0), three).alpha_look == Catch::Approx(0.01 / 3));
  CHECK(judge(all(14, 0), three).alpha_actual == Catch::Approx(30.0 / 16384));
}

TEST_CASE("the smallest effect that could have been shown, worked by hand", "[verdict]") {
  // Seven rounds at -0.02 and seven at +0.02: median 0, median absolute deviation 0.02, sd 0.029652.
  auto values = all(7, -0.02);
  values.resize(14, 0.02);
  const auto judged = judge(values, {});
  CHECK(judged.sd == Catch::Approx(0.029652));
  // z(0.995) = 2.575829, z(0.95) = 1.644854; 0.03 + 4.220683 x 1.2533 x 0.029652 / sqrt(14)
  CHECK(judged.smallest_effect == Catch::Approx(0.071920).epsilon(1e-4));
}

TEST_CASE("a row that cannot tell says where it leans, and that it is noisy", "[verdict]") {
  std::vector<double> values;
  for (int i = 1; i <= 14; ++i) values.push_back(-0.02 * i);
  const auto faster = judge(values, {});
  CHECK(faster.verdict == Verdict::helps);  // from -0.26 to -0.04: all of it below -0.0296
  for (auto& value : values) value += 0.03;
  const auto leaning = judge(values, {});
  CHECK(leaning.verdict == Verdict::inconclusive);
  CHECK(has_flag(leaning, "leaning faster"));
  CHECK(has_flag(leaning, "too noisy"));
  for (auto& value : values) value = -value;
  CHECK(has_flag(judge(values, {}), "leaning slower"));
}

TEST_CASE("two estimates that lie far apart are flagged as asymmetric", "[verdict]") {
  // Median 0, interval [0, 0.02]; of the 105 pairwise means 36 are 0, 48 are 0.01: their median is 0.01.
  auto values = all(8, 0.0);
  values.resize(14, 0.02);
  CHECK(has_flag(judge(values, {}), "asymmetric"));
  CHECK_FALSE(has_flag(judge(all(14, 0.01), {}), "asymmetric"));
}

TEST_CASE("identical code is called different in less than 1 % of 2,000 noisy rows", "[verdict]") {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> noise(0, 0.03);
  int wrong = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> values(14);
    for (auto& value : values) value = noise(engine);
    const auto verdict = judge(values, {}).verdict;
    wrong += verdict == Verdict::helps || verdict == Verdict::hurts ? 1 : 0;
  }
  CHECK(wrong <= 12);
}

TEST_CASE("a true effect of exactly delta is called an effect in at most 0.5 % of 2,000 rows", "[verdict]") {
  std::mt19937_64 engine(2);
  std::normal_distribution<double> noise(band, 0.02);
  int wrong = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> values(14);
    for (auto& value : values) value = noise(engine);
    wrong += judge(values, {}).verdict == Verdict::hurts ? 1 : 0;
  }
  CHECK(wrong <= 10);
}
