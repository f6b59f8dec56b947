#include "harness/compare/exit_code.hpp"

#include "harness/support/exit_codes.hpp"

#include <algorithm>
#include <cstddef>

namespace harness::compare {
namespace {

bool are_too_many(std::ptrdiff_t undecided, std::size_t rows) {
  return static_cast<double>(undecided) > most_undecided * static_cast<double>(rows);
}

}  // namespace

int exit_code(const Comparison& comparison, bool strict) {
  const auto& rows = comparison.rows;
  if (std::ranges::any_of(rows, [](const ComparedRow& row) { return !row.increases.empty(); }))
    return regression_exit;
  if (std::ranges::any_of(rows, &ComparedRow::failed)) return 1;
  if (!strict) return 0;
  const auto undecided = std::ranges::count_if(rows, [](const ComparedRow& row) {
    return row.verdict == Verdict::inconclusive || row.verdict == Verdict::invalid;
  });
  const bool many = are_too_many(undecided, rows.size());
  return many || rows.empty() || !comparison.missing.empty() ? strict_exit : 0;
}

int exit_code(const ContestReport& report, bool strict) {
  const auto& rows = report.outcome.rows;
  const auto count = [&](const auto& what) { return std::ranges::count_if(rows, what); };
  if (report.outcome.signal) return 128 + *report.outcome.signal;
  if (count([](const ContestRow& row) { return row.confirmed || !row.increases.empty(); }) > 0)
    return regression_exit;
  if (count([](const ContestRow& row) { return row.row.judged.verdict == Verdict::failed; }) > 0) return 1;
  if (!strict) return 0;
  const auto undecided =
      count([](const ContestRow& row) { return row.row.judged.verdict == Verdict::inconclusive; });
  const bool many = are_too_many(undecided, rows.size());
  const bool lost = count([](const ContestRow& row) { return is_lost(row.row); }) > 0;
  return many || lost || rows.empty() || !report.missing.empty() ? strict_exit : 0;
}

}  // namespace harness::compare
