#include "harness/compare/contest_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace harness::compare {
namespace {

using Catch::Matchers::ContainsSubstring;

/// 8 MiB in BASE, 12 MiB in HEAD.
ContestReport about_memory() {
  ContestRow row;
  row.row.name = row.row.step = "autograd/accumulation";
  row.row.naive_seconds = 8;
  row.row.optimized_seconds = 12;
  row.row.measured.statistic = Statistic::figure;
  row.row.measured.figures = {{"peak memory", "MiB", 8, 12}};
  row.row.measured.samples = {{.form = Form::naive, .seconds = 8}};
  row.row.judged.ratio = 1.5;
  ContestReport report;
  report.outcome.rows = {row};
  return report;
}

TEST_CASE("A comparison of programs prints memory as memory", "[contest]") {
  const auto text = contest_text(about_memory(), {});
  CHECK_THAT(text, ContainsSubstring("8 MiB"));
  CHECK_THAT(text, ContainsSubstring("12 MiB"));
}

TEST_CASE("In the file of a comparison memory is no time", "[contest]") {
  const auto json = contest_json(about_memory());
  const auto& row = json["rows"][0];
  CHECK(row["metric"] == "first_figure");
  CHECK(row["base_ns"].is_null());
  CHECK(row["head_ns"].is_null());
  CHECK(row["round_base_ns"].empty());
  CHECK(row["base_value"] == 8);
  CHECK(row["head_value"] == 12);
  CHECK(row["value_unit"] == "MiB");
}

}  // namespace
}  // namespace harness::compare
