#include "harness/compare/leaning.hpp"

#include <catch2/catch_test_macros.hpp>

#include <random>
#include <vector>

namespace harness::compare {
namespace {

/// An undecided row of such rounds.
results::Row row_of(std::vector<double> log_ratios) {
  results::Row row;
  row.delta = 0.05;
  row.rounds = static_cast<int>(log_ratios.size());
  row.judged = judge(log_ratios, {.looks = {10}, .delta = row.delta});
  row.judged.verdict = Verdict::inconclusive;
  row.measured.log_ratios = std::move(log_ratios);
  return row;
}

TEST_CASE("a row whose rounds are nearly all slower, and by more than the margin, leans", "[leaning]") {
  CHECK(leans_slower(row_of({-0.04, 0.2, 0.3, 0.3, 0.32, 0.33, 0.33, 0.35, 0.5, 0.59}), 1));
  CHECK_FALSE(leans_slower(row_of({-0.04, -0.01, 0.2, 0.3, 0.32, 0.33, 0.33, 0.35, 0.5, 0.59}), 1));
}

TEST_CASE("undecided rows share the error, and a row within the margin never leans", "[leaning]") {
  const auto row = row_of({-0.04, 0.2, 0.3, 0.3, 0.32, 0.33, 0.33, 0.35, 0.5, 0.59});
  CHECK_FALSE(leans_slower(row, 2));
  CHECK_FALSE(leans_slower(row_of(std::vector<double>(14, 0.02)), 1));
  CHECK_FALSE(leans_slower(row_of({}), 1));
  CHECK_FALSE(leans_slower(row_of({0.3, 0.4, 0.5}), 1));
}

TEST_CASE("a decided row does not lean", "[leaning]") {
  auto row = row_of(std::vector<double>(10, 0.3));
  CHECK(leans_slower(row, 1));
  row.judged.verdict = Verdict::no_effect;
  CHECK_FALSE(leans_slower(row, 1));
}

TEST_CASE("two series lean where their medians' interval lies above no change", "[leaning]") {
  std::vector<double> base, slower, wide;
  for (int i = 0; i < 14; ++i) {
    base.push_back(0.01 * i);
    slower.push_back(0.01 * i + 0.2);
    wide.push_back(i < 7 ? -1 : 1.5);
  }
  CHECK(leans_slower(base, slower, 0.05, 1));
  CHECK_FALSE(leans_slower(base, base, 0.05, 1));
  CHECK_FALSE(leans_slower(base, wide, 0.05, 1));
  CHECK_FALSE(leans_slower({}, slower, 0.05, 1));
}

TEST_CASE("of sessions of ten noisy equal rows at most one in fifty has one that leans", "[leaning]") {
  std::mt19937 random(1);
  std::cauchy_distribution<double> noise(0, 0.2);
  int leaning = 0;
  for (int session = 0; session < 1000; ++session) {
    bool any = false;
    for (int i = 0; i < 10; ++i) {
      std::vector<double> ratios(14);
      for (auto& ratio : ratios) ratio = noise(random);
      any = any || leans_slower(row_of(ratios), 10);
    }
    leaning += any ? 1 : 0;
  }
  CHECK(leaning <= 20);
}

}  // namespace
}  // namespace harness::compare
