#include "tests/harness/run/rows.hpp"

#include "harness/run/table_row.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace harness;
using namespace harness::results;
using namespace harness::run;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;

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

/// The line that holds `part`.
std::string line_with(const std::string& text, const std::string& part) {
  const auto at = text.find(part);
  if (at == text.npos) return {};
  const auto begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

TEST_CASE("a row is one line that says what came out, what decided it and what was published", "[report]") {
  auto row = example::judged(example::row("a/b", "n:1"), Verdict::hurts, {2e-3, 3e-3}, {1.4, 1.6});
  row.published = "twice as fast";
  row.sides = {"slow", "quick"};
  const auto text = results_table(std::vector{row}, {});
  CHECK_THAT(text, ContainsSubstring("\na/b: slow -> quick\n"));
  CHECK(line_with(text, "n:1") ==
        "  n:1                     2.00 ms  +50.0 % [+40.0, +60.0] slower      time     ! twice as fast");
}

TEST_CASE("what counts decide stands in a sentence below the row", "[report]") {
  auto row = example::judged(example::row("a/b", "n:1"), Verdict::inconclusive, {2e-3, 2e-3}, {0.9, 1.1});
  row.measured.figures = {{"operators called", "calls", 100, 2}};
  const auto text = results_table(std::vector{row}, {});
  CHECK_THAT(line_with(text, "n:1"), EndsWith("cannot tell"));
  CHECK_THAT(text, ContainsSubstring("  time cannot tell; does less work: 98 operators fewer\n"));
}

TEST_CASE("a row with too few rounds shows how far they lie apart, and no widened range", "[report]") {
  auto row = example::judged(example::row("a/b", "n:1"), Verdict::inconclusive, {2e-3, 1.5e-3}, {0.1, 5.8});
  row.judged.flags = {"only 3 of 10 rounds"};
  row.judged.method = CiMethod::widened_range;
  row.measured.log_ratios = {std::log(0.76), std::log(0.75), std::log(0.82)};
  row.rounds = 3;
  const auto text = results_table(std::vector{row}, {}, true);
  CHECK_THAT(line_with(text, "cannot tell"), ContainsSubstring("-25.0 %   "));
  CHECK_THAT(text, ContainsSubstring("  3 rounds: -25.0 to -18.0 %, too few for a verdict\n"));
  CHECK_THAT(text, !ContainsSubstring("widened"));
}

TEST_CASE("a further row of a step does not repeat the step", "[report]") {
  const auto first = example::judged(example::row("a/b", "n:1"), Verdict::helps, {2e-3, 1e-3}, {0.4, 0.6});
  const auto second = example::judged(example::row("a/b", "n:2"), Verdict::helps, {2e-3, 1e-3}, {0.4, 0.6});
  const auto text = results_table(std::vector{first, second}, {});
  CHECK(line_with(text, "n:2").starts_with("  n:2 "));
  CHECK(text.find("a/b:") == text.rfind("a/b:"));
}

TEST_CASE("rows name their device only where some ran on the host and some on a GPU", "[report]") {
  const auto on_host =
      example::judged(example::row("a/b", "n:1/device:cpu"), Verdict::helps, {2e-3, 1e-3}, {0.4, 0.6});
  auto on_gpu =
      example::judged(example::row("a/c", "n:1/device:cuda"), Verdict::helps, {2e-3, 1e-3}, {0.4, 0.6});
  on_gpu.device = {Device::Kind::cuda, 0};
  CHECK(line_with(results_table(std::vector{on_host}, {}), "2.00 ms").starts_with("  n:1  "));
  CHECK(line_with(results_table(std::vector{on_gpu}, {}), "2.00 ms").starts_with("  n:1  "));
  const auto both = results_table(std::vector{on_host, on_gpu}, {});
  CHECK_THAT(both, ContainsSubstring("\n  n:1/cpu  "));
  CHECK_THAT(both, ContainsSubstring("\n  n:1/cuda  "));
}

TEST_CASE("details stand below a row when they are asked for", "[report]") {
  auto row = example::judged(example::row("a/b", "n:1"), Verdict::inconclusive, {2e-3, 1e-3}, {0.4, 1.6});
  row.judged.flags = {"too noisy"};
  row.measured.figures = {{"copies", "", 3, 1}, {"waits", "", 2, 2}};
  const std::vector rows{row};
  CHECK_THAT(results_table(rows, {}), !ContainsSubstring("too noisy"));
  const auto text = results_table(rows, {}, true);
  CHECK_THAT(text, ContainsSubstring("2.00 ms -> 1.00 ms; 14 rounds; could have shown a change of 3.4 %"));
  CHECK_THAT(text, ContainsSubstring("too noisy"));
  CHECK_THAT(text, ContainsSubstring("copies 3 -> 1"));
  CHECK_THAT(text, !ContainsSubstring("waits"));
}

}  // namespace
