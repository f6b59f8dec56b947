#include "harness/run/results_table.hpp"

#include "tests/harness/run/rows.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

using namespace harness;
using namespace harness::results;
using namespace harness::run;
using Catch::Matchers::ContainsSubstring;

namespace {

Row skipped(const std::string& step, const std::string& point, const std::string& reason) {
  return example::unmeasured(example::row(step, point), Verdict::skipped, reason);
}

TEST_CASE("rows that were skipped for one reason stand below the table, by step", "[report]") {
  const auto measured = example::judged(example::row("a/b", "n:1"), Verdict::helps, {2e-3, 1e-3}, {0.4, 0.6});
  const std::vector<Row> rows{measured, skipped("a/b", "n:2", "no GPU"), skipped("c/d", "n:1", "no GPU"),
                              skipped("c/d", "n:2", "no GPU")};
  const auto text = results_table(rows, {});
  CHECK_THAT(text, ContainsSubstring("\n\n3 rows skipped: no GPU\n  a/b 1 of 2, c/d 2\n"));
  CHECK_THAT(text, !ContainsSubstring("n:2"));
  CHECK_THAT(text, ContainsSubstring("n:1"));
}

TEST_CASE("a row that was skipped for a reason of its own stays in the table", "[report]") {
  const std::vector<Row> rows{skipped("a/b", "n:1", "no GPU"), skipped("a/b", "n:2", "needs 2 GiB")};
  const auto text = results_table(rows, {});
  CHECK_THAT(text, ContainsSubstring("n:1  "));
  CHECK_THAT(text, ContainsSubstring("skipped: needs 2 GiB"));
  CHECK_THAT(text, !ContainsSubstring("rows skipped"));
}

TEST_CASE("where nothing was measured there is no empty table", "[report]") {
  const std::vector<Row> rows{skipped("a/b", "n:1", "no GPU"), skipped("a/b", "n:2", "no GPU")};
  CHECK(results_table(rows, {}) == "\n2 rows skipped: no GPU\n  a/b 2\n");
}

TEST_CASE("rows without a verdict of skipped are never left out", "[report]") {
  const auto failed = example::unmeasured(example::row("a/b", "n:1"), Verdict::failed, "killed");
  const auto text = results_table(std::vector{failed, failed}, {});
  CHECK_THAT(text, ContainsSubstring("failed"));
}

}  // namespace
