#include "harness/run/contest.hpp"

#include "harness/core/median.hpp"
#include "harness/core/slot_order.hpp"

#include <cmath>

namespace harness::run {
namespace {

constexpr auto base = static_cast<std::size_t>(ContestBuild::base);
constexpr auto head = static_cast<std::size_t>(ContestBuild::head);

/// The mean over the processes of the median over each one's slots: ln(seconds) of that form. NaN where a
/// process timed no such slot.
double log_seconds(const std::vector<results::Row>& launches, Form form) {
  double sum = 0;
  for (const auto& row : launches) {
    std::vector<double> slots;
    for (const auto& sample : row.measured.samples)
      if (sample.form == form) slots.push_back(std::log(sample.seconds));
    sum += slots.empty() ? std::nan("") : median(std::move(slots));
  }
  return sum / static_cast<double>(launches.size());
}

/// The row ended in an error in one program, or in both.
results::Row with_error(results::Row place, const std::vector<results::Row>& in_base,
                        const std::vector<results::Row>& in_head) {
  const auto& error = in_head.empty() ? in_base.front() : in_head.front();
  const bool both = !in_base.empty() && !in_head.empty();
  place.judged = error.judged;
  place.stage = error.stage;
  place.reason =
      both ? "BASE and HEAD" : to_string(in_head.empty() ? ContestBuild::base : ContestBuild::head);
  place.reason += ": " + error.reason;
  return place;
}

results::Row given_up(results::Row place, Verdict verdict, std::string reason) {
  place.judged.verdict = verdict;
  place.stage = "worker";
  place.reason = std::move(reason);
  return place;
}

/// One of the two programs could not run the row.
bool has_error(const std::array<std::vector<results::Row>, 2>& errors) {
  return !errors[base].empty() || !errors[head].empty();
}

std::vector<ContestBuild> order_of(const Pass& pass, std::uint64_t seed) {
  if (!pass.round) return {ContestBuild::base, ContestBuild::head};
  const auto four = contest_order(seed, *pass.round);
  return {four.begin(), four.end()};
}

}  // namespace

std::string_view to_string(ContestBuild build) { return build == ContestBuild::base ? "BASE" : "HEAD"; }

std::array<ContestBuild, 4> contest_order(std::uint64_t seed, int round) {
  Random random(row_seed(seed, "programs of round " + std::to_string(round)));
  if (random.coin()) return {ContestBuild::base, ContestBuild::head, ContestBuild::head, ContestBuild::base};
  return {ContestBuild::head, ContestBuild::base, ContestBuild::base, ContestBuild::head};
}

PassOutcome Contest::run(const Pass& pass, const std::function<void(results::Row)>& ended) {
  const auto order = order_of(pass, seed_);
  std::map<std::string, Heard> heard;
  PassOutcome all;
  Pass part = pass;
  ContestProcess process{.of = static_cast<int>(order.size()), .seed = seed_};
  for (const auto build : order) {
    process.build = build;
    const auto outcome = launch_(process, part, [&](results::Row row) {
      auto& own = heard[row.name];
      auto& list = results::is_error(row) ? own.errors : own.rows;
      list[static_cast<std::size_t>(build)].push_back(std::move(row));
    });
    all.workers += outcome.workers;
    results::add(all.disturbance, outcome.disturbance);
    all.signal = outcome.signal;
    if (all.signal) return all;
    ++process.number;
    // The rehearsal asks both programs: a row that neither can run differs from a row that one has lost.
    if (pass.round)
      std::erase_if(part.rows, [&](const results::Row& row) { return has_error(heard[row.name].errors); });
    if (part.rows.empty()) break;
  }
  for (const auto& place : pass.rows) {
    auto& own = heard[place.name];
    const bool whole = 2 * own.rows[base].size() == order.size() && 2 * own.rows[head].size() == order.size();
    if (whole || has_error(own.errors)) ended(merged(place, pass, own));
  }
  return all;
}

results::Row Contest::merged(const results::Row& place, const Pass& pass, const Heard& heard) {
  auto row = place;
  for (const auto* list : {&heard.rows, &heard.errors})
    for (const auto& build : *list)
      for (const auto& one : build) row.row_seconds += one.row_seconds;
  if (has_error(heard.errors)) return with_error(std::move(row), heard.errors[base], heard.errors[head]);
  return pass.round ? timed(std::move(row), *pass.round, heard) : rehearsed(std::move(row), heard);
}

results::Row Contest::rehearsed(results::Row row, const Heard& heard) {
  const auto& before = heard.rows[base].front().measured;
  const auto& after = heard.rows[head].front().measured;
  if (before.timer != after.timer)
    return given_up(std::move(row), Verdict::skipped, "BASE and HEAD use different clocks for this row");
  if (before.statistic != after.statistic)
    return given_up(std::move(row), Verdict::skipped, "BASE and HEAD judge this row by different figures");
  row.measured.timer = after.timer;
  row.measured.statistic = after.statistic;
  if (after.statistic == Statistic::figure) row.measured.figures = after.figures;
  row.measured.iterations = std::min(before.iterations, after.iterations);
  row.measured.calibrations = before.calibrations;
  row.measured.optimized_iterations = std::min(before.optimized_iterations, after.optimized_iterations);
  besides_[row.name] = {before.figures, after.figures, {}};
  return row;
}

results::Row Contest::timed(results::Row row, int round, const Heard& heard) {
  const auto before = log_seconds(heard.rows[base], Form::optimized);
  const auto after = log_seconds(heard.rows[head], Form::optimized);
  const auto control =
      log_seconds(heard.rows[head], Form::naive) - log_seconds(heard.rows[base], Form::naive);
  if (!std::isfinite(after - before) || !std::isfinite(control))
    return given_up(std::move(row), Verdict::failed,
                    "a worker ended the row without a timed slot of each form");
  row.measured.log_ratios = {after - before};
  besides_[row.name].control.push_back(control);
  row.measured.samples = {{.round = round, .form = Form::naive, .seconds = std::exp(before)},
                          {.round = round, .form = Form::optimized, .seconds = std::exp(after)}};
  double setup = 0;
  std::int64_t switches = 0;
  for (const auto& build : heard.rows)
    for (const auto& one : build) {
      for (const auto seconds : one.measured.setup_seconds) setup += seconds;
      for (const auto count : one.measured.switches) switches += count;
    }
  row.measured.setup_seconds = {setup};
  row.measured.switches = {switches};
  return row;
}

}  // namespace harness::run
