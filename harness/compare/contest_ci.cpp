#include "harness/compare/comparison_text.hpp"
#include "harness/compare/contest_text.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

namespace harness::compare {
namespace {

Fate fate_of_contest(const ContestRow& row, bool strict) {
  if (row.confirmed || !row.increases.empty()) return Fate::failure;
  if (strict && is_lost(row.row)) return Fate::failure;
  return fate_of(row.row.judged.verdict);
}

std::string message_of(const ContestRow& row) {
  std::string out;
  for (const auto& increase : row.increases) out += increase_text(increase) + "; ";
  return out + contest_note(row);
}

CiCase ci_row(const ContestRow& row, bool strict) {
  const auto& judged = row.row.judged;
  CiCase out{.group = row.row.step,
             .name = row.row.name,
             .fate = fate_of_contest(row, strict),
             .verdict = contest_word(row),
             .message = message_of(row),
             .seconds = row.row.row_seconds};
  if (row.row.naive_seconds <= 0) return out;
  out.change = change_text(judged.ratio, judged.ratio_interval);
  const auto add = [&](const char* name, double value) {
    out.properties.emplace_back(name, fmt::format("{:.6g}", value));
  };
  add("rho", judged.ratio);
  if (judged.ratio_interval) {
    add("L", judged.ratio_interval->low);
    add("U", judged.ratio_interval->high);
  }
  add("R", row.row.rounds);
  add("sd", judged.sd);
  add("mde95", judged.smallest_effect);
  add("delta", row.row.delta);
  add("p", row.p);
  return out;
}

}  // namespace

CiReport contest_ci(const ContestReport& report, bool strict) {
  CiReport out{
      .title = fmt::format("tuneproof compare --base {} --head {}", report.base.commit, report.head.commit)};
  for (const auto& row : report.outcome.rows) out.rows.push_back(ci_row(row, strict));
  for (const auto& name : report.missing) out.rows.push_back(missing_row(name, strict));
  for (const auto& name : report.added) out.notes.push_back("new: " + name);
  out.notes.insert(out.notes.end(), report.notes.begin(), report.notes.end());
  return out;
}

}  // namespace harness::compare
