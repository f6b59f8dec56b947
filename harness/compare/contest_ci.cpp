#include "harness/compare/comparison_text.hpp"
#include "harness/compare/contest_text.hpp"
#include "harness/core/counts.hpp"

#include <fmt/format.h>

namespace harness::compare {
namespace {

Fate fate_of_contest(const ContestRow& row) {
  if (row.confirmed || !row.increases.empty()) return Fate::failure;
  if (is_lost(row.row)) return Fate::missing;
  if (unsettled(row)) return Fate::unsettled;
  if (row.regressed || row.instructions) return Fate::pass;  // a second session refuted it; counts decide
  return fate_of(row.row.judged.verdict);
}

std::string message_of(const ContestRow& row) {
  std::string out;
  for (const auto& increase : row.increases) out += increase_text(increase) + "; ";
  return out + contest_note(row);
}

CiCase ci_row(const ContestRow& row) {
  const auto& judged = row.row.judged;
  CiCase out{.group = row.row.step,
             .name = row.row.name,
             .fate = fate_of_contest(row),
             .verdict = contest_word(row),
             .message = message_of(row),
             .seconds = row.row.row_seconds};
  if (row.instructions) {
    add_change(out, row.instructions->optimized / row.instructions->naive, {}, instructions_apart);
    add_figure(out, "instructions in BASE", row.instructions->naive);
    add_figure(out, "instructions in HEAD", row.instructions->optimized);
  }
  if (row.row.naive_seconds <= 0) return out;
  add_change(out, judged.ratio, judged.ratio_interval, row.row.delta);
  add_figure(out, "rounds", row.row.rounds);
  add_figure(out, "spread of the rounds", judged.sd);
  add_figure(out, "smallest change that could be shown", judged.smallest_effect);
  if (row.p < 1) add_figure(out, "p, adjusted", row.p);
  return out;
}

}  // namespace

CiReport contest_ci(const ContestReport& report) {
  CiReport out{.title = fmt::format("tuneproof compare --base {} ({}) --head {} ({})", report.base.program,
                                    report.base.commit, report.head.program, report.head.commit),
               .demands = report.demands};
  for (const auto& row : report.outcome.rows) out.rows.push_back(ci_row(row));
  for (const auto& name : report.missing) out.rows.push_back(missing_row(name));
  for (const auto& name : report.added) out.notes.push_back("new: " + name);
  out.notes.insert(out.notes.end(), report.notes.begin(), report.notes.end());
  return out;
}

Conclusion gate_conclusion(const ContestReport& report, const CiReport& in_ci) {
  if (const auto signal = report.outcome.signal) return {128 + *signal, "NOT DECIDED: stopped by a signal"};
  return conclusion_of(in_ci);
}

}  // namespace harness::compare
