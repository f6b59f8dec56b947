#include "harness/run/judge_row.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace harness::run {
using namespace results;
namespace {

/// A row of 14 rounds, of which so many lie far below the band and the others above it.
Row row_of(Verdict verdict, int below) {
  Row row;
  row.delta = 0.03;
  row.rounds = 14;
  row.judged.verdict = verdict;
  for (int i = 0; i < 14; ++i) row.measured.log_ratios.push_back(i < below ? -0.5 : 0.5);
  return row;
}

// 12 of 14 below: p = (1 + 14 + 91) / 2^14 = 0.0065.
TEST_CASE("A verdict that stands alone stands with itself", "[many]") {
  std::vector rows{row_of(Verdict::helps, 12)};
  judge_together(rows);
  CHECK(rows[0].confirmed);
}

TEST_CASE("The same verdict does not stand among nineteen rows that cannot tell", "[many]") {
  std::vector rows(20, row_of(Verdict::inconclusive, 7));
  rows[0] = row_of(Verdict::helps, 12);  // 20 x 0.0065 = 0.13, above 0.05
  judge_together(rows);
  CHECK_FALSE(rows[0].confirmed);
}

TEST_CASE("A verdict stands in the list of its own kind only", "[many]") {
  std::vector rows{row_of(Verdict::hurts, 14), row_of(Verdict::hurts, 0), row_of(Verdict::inconclusive, 14)};
  judge_together(rows);
  CHECK_FALSE(rows[0].confirmed);  // its rounds say that it helps
  CHECK(rows[1].confirmed);
  CHECK_FALSE(rows[2].confirmed);
}

TEST_CASE("Rows without rounds take no part", "[many]") {
  std::vector rows(20, row_of(Verdict::inconclusive, 7));
  for (auto& row : rows) row.rounds = 0;
  rows[0] = row_of(Verdict::helps, 12);
  judge_together(rows);
  CHECK(rows[0].confirmed);
}

}  // namespace
}  // namespace harness::run
