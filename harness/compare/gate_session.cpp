#include "harness/compare/gate_session.hpp"

#include "harness/compare/leaning.hpp"
#include "harness/core/counts.hpp"
#include "harness/core/error_rates.hpp"
#include "harness/core/gate.hpp"
#include "harness/core/interval.hpp"
#include "harness/core/setup.hpp"
#include "harness/core/slot_order.hpp"
#include "harness/run/row_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace harness::compare {
namespace {

Rule rule_of(const results::Session& session) { return {.looks = session.looks, .alpha = session.alpha}; }

double noise_of(const GateRules& rules, const std::string& row) {
  const auto found = rules.noise.find(row);
  return found == rules.noise.end() ? 0 : found->second;
}

double margin_of(const results::Row& row, const GateRules& rules) {
  const auto least = row.measured.timer == Timer::event ? event_gate_delta : wall_gate_delta;
  return calibrated_margin(least, noise_of(rules, row.name));
}

/// A row is not decided as slower before Holm can agree, or else it would never be measured again.
void judge_gated(results::Row& row, const results::Results& results, const GateRules& rules) {
  row.delta = margin_of(row, rules);
  run::judge_row(row, results);
  const auto& session = results.session;
  if (row.judged.verdict != Verdict::hurts || row.rounds >= session.looks.back()) return;
  const auto counting = std::span(row.measured.log_ratios).first(static_cast<std::size_t>(row.rounds));
  const auto p = p_median_above(counting, std::log1p(row.delta)) * static_cast<double>(results.rows.size());
  if (p <= rule_of(session).alpha_look()) return;
  row.judged.verdict = Verdict::inconclusive;
  row.judged.flags.emplace_back("leaning slower");
}

std::optional<int> take_rounds(results::Results& results, run::Contest& contest, const GateRules& rules,
                               const GateRunner& runner) {
  const run::Runner workers{
      .run = [&](const run::Pass& pass, const auto& ended) { return contest.run(pass, ended); },
      .clock = runner.clock,
      .store = [] {},
      .judge = [&](results::Row& row, const results::Results& all) { judge_gated(row, all, rules); }};
  const run::Limits limits;
  return run::Rounds(results, limits, workers).run();
}

/// What stands for a verdict of its own: no error, and a whole look.
bool may_gate(const results::Row& row, const results::Session& session) {
  return !results::is_error(row) && row.rounds >= session.looks.front();
}

/// After a whole look the interval lies above the margin.
bool beyond(const Judgement& judged, double margin) {
  return !judged.too_few && judged.ratio_interval && judged.ratio_interval->low > 1 + margin;
}

std::vector<GateResult> gated(const results::Results& results, const GateRules& rules) {
  std::vector<GatedPair> pairs;
  for (const auto& row : results.rows)
    if (may_gate(row, results.session))
      pairs.push_back({.name = row.name,
                       .log_ratios = row.measured.log_ratios,
                       .event = row.measured.timer == Timer::event,
                       .nu = noise_of(rules, row.name),
                       .withdrawn = withdrawn(row.judged, row.delta)});
  return gate(pairs, rule_of(results.session));
}

ContestRow contest_row(const results::Row& row, run::Contest& contest, const results::Results& results) {
  ContestRow out{.row = row};
  const auto& besides = contest.besides(row.name);
  out.increases = count_increases(besides.base, besides.head, run::has_one_form(row));
  if (!results::is_error(row)) out.vanished = vanished_counts(besides.base, besides.head);
  // A round that was broken off has left its control behind.
  const auto units = std::min(besides.control.size(), row.measured.log_ratios.size());
  out.control_log_ratios.assign(besides.control.begin(),
                                besides.control.begin() + static_cast<std::ptrdiff_t>(units));
  auto rule = rule_of(results.session);
  rule.delta = row.delta;
  out.control = judge(out.control_log_ratios, rule);
  return out;
}

/// The flagged rows once more, blank, in a session of another seed.
results::Results second_session(const results::Results& first, const std::vector<GateResult>& flags) {
  results::Results second;
  second.session = first.session;
  second.session.seed = row_seed(first.session.seed, "confirmation");
  second.session.rows.clear();
  second.fingerprint = first.fingerprint;
  for (const auto& flag : flags) {
    if (!flag.regressed) continue;
    auto row = run::place_of(*std::ranges::find(first.rows, flag.name, &results::Row::name));
    row.measured.iterations = 0;
    second.rows.push_back(std::move(row));
    second.session.rows.push_back(flag.name);
  }
  return second;
}

void confirm(GateOutcome& outcome, const results::Results& again, const std::vector<GateResult>& first,
             const GateRules& rules) {
  const auto second = gated(again, rules);
  const auto names = confirmed(first, second);
  for (auto& row : outcome.rows) {
    row.confirmed = std::ranges::find(names, row.row.name) != names.end();
    const auto repeated = std::ranges::find(again.rows, row.row.name, &results::Row::name);
    if (repeated != again.rows.end()) row.again = repeated->judged;
  }
}

}  // namespace

bool withdrawn(const Judgement& judged, double margin) {
  return beyond(judged, margin) && judged.verdict == Verdict::inconclusive;
}

bool unsettled(const ContestRow& row) {
  if (results::is_error(row.row) || row.confirmed) return false;
  const bool refuted =
      row.again && (row.again->verdict == Verdict::no_effect || row.again->verdict == Verdict::helps);
  return (row.regressed || row.leaning || beyond(row.row.judged, row.row.delta)) && !refuted;
}

std::vector<int> gating_looks(const Rule& rule, int rows) {
  const auto first = first_gating_look(rule, rows);
  if (!first)
    throw BadInput(gate_refusal(rows, rule.looks.back(), rule.alpha, static_cast<int>(rule.looks.size())));
  auto looks = rule.looks;
  std::erase_if(looks, [&](int look) { return look < *first; });
  return looks;
}

GateOutcome run_gate(results::Results session, const GateRules& rules, const GateRunner& runner) {
  run::Contest contest(session.session.seed, runner.launch);
  GateOutcome outcome{.session = session.session, .rows = {}};
  outcome.signal = take_rounds(session, contest, rules, runner);
  outcome.rounds = session.rounds;
  const auto undecided = undecided_rows(session.rows);
  for (const auto& row : session.rows) {
    outcome.rows.push_back(contest_row(row, contest, session));
    outcome.rows.back().leaning = leans_slower(row, undecided);
  }
  if (outcome.signal) return outcome;

  const auto flags = gated(session, rules);
  for (const auto& flag : flags) {
    auto& row = *std::ranges::find(outcome.rows, flag.name, [](const ContestRow& r) { return r.row.name; });
    row.p = flag.p;
    row.regressed = flag.regressed;
  }
  auto second = second_session(session, flags);
  if (second.rows.empty()) return outcome;
  outcome.signal = runner.wait(rules.pause);
  if (outcome.signal) return outcome;
  run::Contest rematch(second.session.seed, runner.launch);
  outcome.signal = take_rounds(second, rematch, rules, runner);
  outcome.second = second.session;
  if (!outcome.signal) confirm(outcome, second, flags, rules);
  return outcome;
}

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
