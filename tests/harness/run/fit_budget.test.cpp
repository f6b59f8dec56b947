#include "tests/harness/run/rows.hpp"

#include "harness/run/select.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

using namespace harness;
using namespace harness::run;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<results::Row> rows() {
  std::vector<results::Row> all{example::row("a/open", ""), example::row("a/long", ""),
                                example::row("a/short", "")};
  all[0].expected = Outcome::depends;
  return all;
}

double seconds(const results::Row& row) { return row.name == "a/long" ? 100 : 10; }

bool left_out(const results::Row& row) { return row.judged.verdict == Verdict::skipped; }

TEST_CASE("a budget that is long enough leaves no row out", "[budget]") {
  auto all = rows();
  CHECK(fit_budget(all, {std::chrono::seconds(120), "2m"}, seconds).empty());
  for (const auto& row : all) CHECK_FALSE(left_out(row));
}

TEST_CASE("a short budget takes what sources speak of, the short rows first, and says what it left",
          "[budget]") {
  auto all = rows();
  const auto said = fit_budget(all, {std::chrono::seconds(30), "30s"}, seconds);
  CHECK_FALSE(left_out(all[2]));
  CHECK(left_out(all[1]));
  CHECK_FALSE(left_out(all[0]));
  CHECK(all[1].reason == "the budget of 30s has no time for it");
  CHECK_THAT(said, ContainsSubstring("time for 2 of 3 rows") && ContainsSubstring("left out: a/long"));
}

TEST_CASE("one row stays, however short the budget", "[budget]") {
  auto all = rows();
  fit_budget(all, {std::chrono::seconds(1), "1s"}, seconds);
  CHECK_FALSE(left_out(all[2]));
}

}  // namespace
