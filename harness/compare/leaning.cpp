#include "harness/compare/leaning.hpp"

#include "harness/compare/gate_session.hpp"
#include "harness/compare/run_file.hpp"
#include "harness/core/interval.hpp"

namespace harness::compare {

std::size_t undecided_rows(std::span<const results::Row> rows) {
  return static_cast<std::size_t>(std::ranges::count(
      rows, Verdict::inconclusive, [](const results::Row& row) { return row.judged.verdict; }));
}

bool leans_slower(const results::Row& row, std::size_t undecided) {
  if (row.judged.verdict != Verdict::inconclusive || row.rounds == 0) return false;
  const auto rounds = std::min(static_cast<std::size_t>(row.rounds), row.measured.log_ratios.size());
  const auto p = p_median_above(std::span(row.measured.log_ratios).first(rounds), 0);
  return row.judged.ratio > 1 + row.delta && p * static_cast<double>(undecided) <= leaning_error;
}

bool leans_slower(std::span<const double> base, std::span<const double> current, double margin,
                  std::size_t undecided) {
  if (base.empty() || current.empty()) return false;
  const auto error = leaning_error / static_cast<double>(undecided);
  const auto change =
      change_of(base, current, {.alpha = 2 * error, .delta = margin});  // one of its two sides
  return change.ratio > 1 + margin && change.ratio_interval && change.ratio_interval->low > 1;
}

Fate fate_of_command(const results::Row& row, const results::Results& session) {
  const auto verdict = row.judged.verdict;
  if (verdict == Verdict::hurts) return Fate::failure;
  const bool cut_short = verdict == Verdict::inconclusive && row.rounds < session.session.looks.front();
  const bool maybe_slower =
      withdrawn(row.judged, row.delta) || leans_slower(row, undecided_rows(session.rows));
  return cut_short || maybe_slower ? Fate::unsettled : fate_of(verdict);
}

}  // namespace harness::compare
