#include "harness/run_command/dry_run.hpp"

#include "harness/results/results.hpp"
#include "harness/run/progress.hpp"
#include "harness/support/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace harness::run_command {
namespace {

constexpr double three_looks = 2;  // rows that go on after the first look make a run about twice as long

}  // namespace

int print_rows(const std::vector<results::Row>& rows, const run::RunPlan& plan,
               const catalogue::Catalogue& catalogue) {
  double all = 0, packages = 0;
  for (const auto& row : rows) {
    if (results::is_error(row)) {
      fmt::print("{}  skipped: {}\n", row.name, printable(row.reason));
      continue;
    }
    const auto looks = plan.looks.size() > 1 && !plan.allotted ? three_looks : 1;
    const auto seconds = catalogue::row_seconds(catalogue, row.step, row.name) * looks * plan.pairs;
    all += seconds;
    packages += catalogue::package_seconds(catalogue, row.step, row.name);
    fmt::print("{}  {:.0f} s\n", row.name, seconds);
  }
  const auto skipped = std::ranges::count_if(rows, results::is_error);
  fmt::print("{} {}{}, at most about {}\n", rows.size(), rows.size() == 1 ? "row" : "rows",
             skipped > 0 ? fmt::format(", {} of them skipped", skipped) : "", run::duration_text(all));
  if (packages > 0)
    fmt::print("(and up to about {} more where torch's compiler has not made their packages yet)\n",
               run::duration_text(packages));
  if (!plan.options.empty()) fmt::print("(this estimate assumes the workloads' default options)\n");
  return 0;
}

}  // namespace harness::run_command
