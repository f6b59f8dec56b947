#include "harness/compare/count_gate.hpp"

#include "harness/core/counts.hpp"
#include "harness/run/row_view.hpp"

#include <fmt/format.h>

namespace harness::compare {
namespace {

constexpr std::array both_programs{run::ContestBuild::base, run::ContestBuild::head};

std::vector<results::Row> countable(const std::vector<results::Row>& rows) {
  std::vector<results::Row> some;
  for (const auto& row : rows)
    if (!results::is_error(row)) some.push_back(row);
  return some;
}

/// The instructions of the row as a figure; where there are none, `why` says the reason.
void add_instructions(const std::map<std::string, results::Row>& counted, const std::string& row,
                      run::ContestBuild build, std::vector<Figure>& figures, std::string& why) {
  const auto found = counted.find(row);
  if (found == counted.end()) return;
  if (results::is_error(found->second)) why = fmt::format("{}: {}", to_string(build), found->second.reason);
  for (const auto& figure : found->second.measured.figures)
    if (figure.unit == instructions_unit) figures.push_back(figure);
}

ContestRow counted_row(const results::Row& row, run::Besides besides,
                       const std::array<std::map<std::string, results::Row>, 2>& counted) {
  ContestRow out{.row = row};
  if (results::is_error(row)) return out;
  add_instructions(counted[0], row.name, run::ContestBuild::base, besides.base, out.row.reason);
  add_instructions(counted[1], row.name, run::ContestBuild::head, besides.head, out.row.reason);
  out.increases = count_increases(besides.base, besides.head, run::has_one_form(row));
  out.vanished = vanished_counts(besides.base, besides.head);
  out.instructions = instructions_in_both(besides.base, besides.head);
  return out;
}

}  // namespace

GateOutcome count_gate(results::Results session, const run::Launch& launch, const CountRows& count) {
  run::Contest contest(session.session.seed, launch);
  GateOutcome outcome{.session = session.session, .rows = {}};
  std::array<std::map<std::string, results::Row>, 2> counted;
  if (auto rows = countable(session.rows); !rows.empty()) {
    const auto rehearsed = [&](results::Row row) {
      *std::ranges::find(session.rows, row.name, &results::Row::name) = std::move(row);
    };
    outcome.signal = contest.run({.rows = std::move(rows)}, rehearsed).signal;
  }
  for (const auto build : both_programs) {
    const auto rows = countable(session.rows);
    if (outcome.signal || rows.empty()) continue;
    outcome.signal = count(build, rows, [&](results::Row row) {
      const auto name = row.name;
      counted.at(static_cast<std::size_t>(build))[name] = std::move(row);
    });
  }
  for (const auto& row : session.rows)
    outcome.rows.push_back(counted_row(row, contest.besides(row.name), counted));
  return outcome;
}

}  // namespace harness::compare
