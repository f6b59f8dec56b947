#include "harness/run/rounds.hpp"

#include "harness/core/slot_order.hpp"
#include "harness/machine/host.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

namespace harness::run {
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// What a round adds to what is known of a row.
void add_round(results::Row& row, const results::Row& round) {
  append(row.measured.log_ratios, round.measured.log_ratios);
  append(row.measured.setup_seconds, round.measured.setup_seconds);
  append(row.measured.switches, round.measured.switches);
  append(row.measured.samples, round.measured.samples);
  row.measured.discarded += round.measured.discarded;
  row.row_seconds += round.row_seconds;
}

/// An error counts whenever it happens, and then nothing else does.
void end_with_error(results::Row& row, const results::Row& error) {
  row.measured = {};
  row.judged = error.judged;
  row.reason = error.reason;
  row.stage = error.stage;
  row.row_seconds += error.row_seconds;
  row.rounds = 0;
  row.naive_seconds = row.optimized_seconds = 0;
}

}  // namespace

results::Row place_of(const results::Row& row) {
  results::Row place;
  place.name = row.name;
  place.step = row.step;
  place.at = row.at;
  place.device = row.device;
  place.sides = row.sides;
  place.expected = row.expected;
  place.published = row.published;
  place.delta = row.delta;
  place.measured.iterations = row.measured.iterations;
  place.measured.optimized_iterations = row.measured.optimized_iterations;
  place.measured.calibrations = row.measured.calibrations;
  place.measured.pairs = row.measured.pairs;
  return place;
}

Seconds with_overtime(Seconds budget) {
  constexpr Seconds least{30};
  constexpr double share = 0.1;
  return budget + std::max(least, share * budget);
}

std::string left_out_text(const std::string& what, std::size_t rows, const Limits& limits) {
  return fmt::format(
      "tuneproof: {} row{} not {}, since that may take as long again as the budget of {}; raise "
      "--budget or select fewer rows",
      rows, rows == 1 ? " was" : "s were", what, limits.budget->text);
}

std::string ran_out_text(const std::string& budget, std::optional<double> other_cpu) {
  constexpr double worth_a_word = 0.1;
  const auto text = fmt::format("the budget of {} ran out", budget);
  if (other_cpu.value_or(0) < worth_a_word) return text;
  return fmt::format("{}; {} meanwhile", text, other_programs_text(*other_cpu));
}

int finished_rounds(const results::Results& results) {
  auto least = results.rounds.size();
  for (const auto& row : results.rows)
    if (is_open(row, results.session)) least = std::min(least, row.measured.log_ratios.size());
  return static_cast<int>(least);
}

std::optional<int> Rounds::run() {
  for (auto& row : results_.rows) {
    if (results::is_error(row)) continue;
    row.reason.clear();
    if (row.measured.iterations == 0) row.measured.pairs = results_.session.pairs;
    runner_.judge(row, results_);
  }
  bool going = rehearse();
  while (going) {
    const auto left = room_left();
    auto rows = next_rows(results_, left ? std::optional(left->count()) : std::nullopt, limits_.patient);
    going = !rows.empty() && fits_budget() && take_round(std::move(rows));
  }
  if (signal_) return signal_;
  for (const auto i : open_rows(results_)) results_.rows[i].reason = why_open(results_.rows[i]);
  runner_.store();
  return signal_;
}

/// Why the open row has no verdict.
std::string Rounds::why_open(const results::Row& row) const {
  const auto& session = results_.session;
  const bool at_look = session.allotted && row.rounds > 0 && row.rounds >= first_look(session) &&
                       std::cmp_equal(row.rounds, row.measured.log_ratios.size());
  if (at_look && !limits_.patient) return why_no_more(row, session);
  if (at_look && !limits_.budget) return std::to_string(row.rounds) + " rounds did not tell";
  if (!row.reason.empty() || !limits_.budget) return row.reason;
  return ran_out_text(limits_.budget->text,
                      results_.rounds.empty() ? results_.session.rehearsal_other_cpu : std::nullopt);
}

/// An order of its own for each round; a resumed session draws the same.
Indices Rounds::in_order(Indices rows, int round) const {
  Random random(row_seed(results_.session.seed, "order of round " + std::to_string(round)));
  shuffle(rows, random);
  return rows;
}

/// Runs the pass; false where the session ends with it. Errors are noted at once, whatever follows.
bool Rounds::complete(const Pass& pass, const Indices& which) {
  ended_.clear();
  std::size_t heard = 0;
  outcome_ = runner_.run(pass, [&](results::Row row) {
    const auto place =
        std::ranges::find(which, row.name, [&](std::size_t i) { return results_.rows[i].name; });
    if (place == which.end()) return;
    ++heard;
    if (results::is_error(row))
      end_with_error(results_.rows[*place], row);
    else
      ended_.push_back(std::move(row));
  });
  signal_ = outcome_.signal;
  return !signal_ && heard == which.size();
}

bool Rounds::rehearse() {
  Pass pass{.look = results_.session.looks.front(), .budget = budget_left()};
  Indices which;
  for (const auto i : open_rows(results_))
    if (results_.rows[i].measured.iterations == 0) which.push_back(i);
  if (which.empty()) return true;
  for (const auto i : which) pass.rows.push_back(place_of(results_.rows[i]));
  const OtherWork other;
  const bool all = complete(pass, which);
  results_.session.rehearsal_other_cpu = other.share();
  for (auto& ended : ended_) {
    auto& row = *std::ranges::find(results_.rows, ended.name, &results::Row::name);
    row.measured = std::move(ended.measured);
    row.measured.pairs = results_.session.pairs;
    row.row_seconds += ended.row_seconds;
  }
  if (!signal_ || !ended_.empty()) runner_.store();
  return all && goes_on(results_.session.rehearsal_other_cpu);
}

/// Rounds on a busy machine take long and decide little: whoever waits for them hears it first.
bool Rounds::goes_on(std::optional<double> other_cpu) {
  if (!other_cpu || runner_.disturbed(*other_cpu)) return true;
  for (const auto i : open_rows(results_))
    results_.rows[i].reason = "stopped, since other programs were at work";
  return false;
}

/// A row's unit is whole once the row has ended, whatever becomes of the others: where the round is cut, what
/// ended is kept. Which rows those are was drawn beforehand, so that keeping them favours no answer.
bool Rounds::take_round(Indices rows) {
  const auto begin = runner_.clock();
  const auto steal = steal_seconds();
  const OtherWork other;
  const auto so_far = [&](std::size_t i) { return results_.rows[i].measured.log_ratios.size(); };
  const auto least = so_far(*std::ranges::min_element(rows, {}, so_far));
  std::erase_if(rows, [&](std::size_t i) { return so_far(i) > least; });
  const auto number = static_cast<int>(least);
  Pass pass{.round = number, .budget = budget_left()};
  for (const auto look : results_.session.looks)
    if (pass.look <= number) pass.look = look;
  for (const auto i : in_order(rows, number)) pass.rows.push_back(place_of(results_.rows[i]));
  const bool whole = complete(pass, rows);
  last_round_ = runner_.clock() - begin;
  if (whole || !ended_.empty())
    note({.round = number,
          .start = begin.count(),
          .seconds = last_round_.count(),
          .workers = outcome_.workers,
          .disturbance = outcome_.disturbance,
          .steal_seconds = steal_seconds() - steal,
          .other_cpu = other.share()});
  for (const auto& ended : ended_) {
    auto& row = *std::ranges::find(results_.rows, ended.name, &results::Row::name);
    add_round(row, ended);
    runner_.judge(row, results_);
    const bool sizes_pairs = results_.session.pairs_by_share && row.device.is_cuda() && number == 2;
    if (sizes_pairs && is_open(row, results_.session)) row.measured.pairs = pairs_by_share(ended);
    if (number + 1 == results_.session.looks.front()) row.measured.pairs = pairs_from_here(row);
  }
  judge_together(results_.rows);
  if (!signal_ || !ended_.empty()) runner_.store();
  return whole;
}

/// The rest of a round that was cut belongs to it.
void Rounds::note(const results::Round& round) {
  const auto number = static_cast<std::size_t>(round.round);
  if (number == results_.rounds.size()) return results_.rounds.push_back(round);
  auto& cut = results_.rounds[number];
  cut.seconds += round.seconds;
  cut.workers += round.workers;
  cut.steal_seconds += round.steal_seconds;
  if (cut.other_cpu && round.other_cpu && cut.seconds > 0)
    cut.other_cpu = *cut.other_cpu + (*round.other_cpu - *cut.other_cpu) * round.seconds / cut.seconds;
  results::add(cut.disturbance, round.disturbance);
}

/// A round that would not end in time is not begun: without its last rows no look is reached.
bool Rounds::fits_budget() const {
  const auto left = room_left();
  return !left || (left->count() > 0 && last_round_ <= *left);
}

/// A session ends after about its budget: a round that ends a little later is not left out.
std::optional<Seconds> Rounds::room_left() const {
  constexpr double a_little = 0.05;
  const auto left = budget_left();
  return left ? std::optional(*left + a_little * limits_.budget->time) : std::nullopt;
}

std::optional<Seconds> Rounds::budget_left() const {
  if (!limits_.budget) return std::nullopt;
  return limits_.budget->time - runner_.clock();
}

}  // namespace harness::run
