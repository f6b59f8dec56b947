#include "harness/run/fit_budget.hpp"

#include "harness/results/results.hpp"
#include "harness/run/find_row.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tuple>

namespace harness::run {
namespace {

/// The share of a row's time after which a plain row has its verdict: the rehearsal and three of fourteen
/// rounds.
constexpr double first_verdict = 0.4;

}  // namespace

std::string fit_budget(std::vector<results::Row>& rows, std::chrono::duration<double> budget,
                       const std::string& budget_text,
                       const std::function<double(const results::Row&)>& seconds) {
  std::vector<results::Row*> open;
  for (auto& row : rows)
    if (!results::is_error(row)) open.push_back(&row);
  std::ranges::stable_sort(open, {}, [&](const results::Row* row) {
    return std::tuple(row->expected == Outcome::depends, seconds(*row));
  });
  double taken = 0;
  std::vector<std::string> left;
  for (auto* row : open) {
    const auto takes = first_verdict * seconds(*row);
    if (taken == 0 || taken + takes <= budget.count()) {
      taken += takes;
      continue;
    }
    skip(*row, fmt::format("the budget of {} has no time for it", budget_text));
    left.push_back(row->name);
  }
  if (left.empty()) return {};
  return fmt::format(
      "the budget of {} has time for {} of {} rows, those with a published outcome first; left out: {}",
      budget_text, open.size() - left.size(), open.size(), fmt::join(left, ", "));
}

}  // namespace harness::run
