#include "harness/measure/dry_run.hpp"

#include "harness/results/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace harness::measure {
namespace {

constexpr double three_looks = 2;  // rows that go on after the first look make a run about twice as long

}  // namespace

int print_rows(const std::vector<results::Row>& rows, const run::RunPlan& plan,
               const catalogue::Catalogue& catalogue) {
  double all = 0;
  for (const auto& row : rows) {
    const auto once = results::is_error(row) ? 0 : catalogue::row_seconds(catalogue, row.step, row.name);
    const auto seconds = once * (plan.looks.size() > 1 && !plan.allotted ? three_looks : 1) * plan.pairs;
    all += seconds;
    fmt::print("{}{}\n", row.name,
               results::is_error(row) ? "  skipped: " + row.reason : fmt::format("  {:.0f} s", seconds));
  }
  const auto skipped = std::ranges::count_if(rows, results::is_error);
  fmt::print("{} {}{}, at most about {}\n", rows.size(), rows.size() == 1 ? "row" : "rows",
             skipped > 0 ? fmt::format(", {} of them skipped", skipped) : "",
             all < 60 ? fmt::format("{:.0f} s", all) : fmt::format("{:.1f} minutes", all / 60));
  if (!plan.options.empty()) fmt::print("(this estimate assumes the workloads' default options)\n");
  return 0;
}

}  // namespace harness::measure
