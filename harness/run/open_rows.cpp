#include "harness/run/open_rows.hpp"

#include "harness/core/allot.hpp"
#include "harness/machine/host.hpp"
#include "harness/run/judge_row.hpp"
#include "harness/run/run_output.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::run {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

int rounds_of(const results::Row& row) { return static_cast<int>(row.measured.log_ratios.size()); }

Rule rule_of(const results::Session& session) {
  return {.looks = session.looks, .alpha = session.alpha, .early = session.early};
}

bool at_look(const results::Row& row, const results::Session& session) {
  return std::ranges::find(session.looks, rounds_of(row)) != session.looks.end() ||
         std::ranges::find(session.early, rounds_of(row)) != session.early.end();
}

/// Seconds of a round of the row; its rehearsal counts as one.
double guessed_seconds(const results::Row& row) { return row.row_seconds / (1 + rounds_of(row)); }

/// How much of what the rows are guessed to have taken their rounds took: below 1 where rehearsals were the
/// slower ones, as with cold caches.
double share_of_guess(const results::Results& results) {
  double guessed = 0, taken = 0;
  for (const auto& row : results.rows) guessed += rounds_of(row) * guessed_seconds(row);
  for (const auto& round : results.rounds) taken += round.seconds;
  return taken > 0 && taken < guessed ? taken / guessed : 1;
}

OpenRow open_row(const results::Row& row, double share) {
  return {row.measured.log_ratios, row.delta, share * guessed_seconds(row),
          processes_of(row, row.measured.log_ratios.size())};
}

/// A round up to the first look, which all rows take: the whole of it, and what it costs beside its rows.
struct FullRound {
  double seconds = 0;
  double start = 0;
};

FullRound full_round(const results::Results& results) {
  const auto first = std::min(results.rounds.size(), static_cast<std::size_t>(first_look(results.session)));
  if (first == 0) return {};
  double seconds = 0;
  for (std::size_t i = 0; i < first; ++i) seconds += results.rounds[i].seconds / static_cast<double>(first);
  double rows = 0;
  for (const auto& row : results.rows)
    if (rounds_of(row) > 0) rows += guessed_seconds(row);
  return {seconds, std::max(0.0, seconds - share_of_guess(results) * rows)};
}

/// Of the time that `allotted_rounds` rounds of every row would have taken, or those up to the first look, or
/// of the least that a session may take, since a few quick rows that stay undecided save nobody time.
double allotment_left(const results::Results& results) {
  const bool quick = results.session.suite == "quick";
  const double full = full_round(results).seconds;
  const double seconds =
      quick ? std::max(quick_rounds * full, std::min(allotted_rounds * full, most_seconds_of_quick))
            : std::max(allotted_rounds, static_cast<double>(results.session.looks.front())) * full;
  double used = quick && !results.rounds.empty() ? results.rounds.front().start : 0;
  for (const auto& one : results.rounds) used += one.seconds;
  return std::max(least_allotment, seconds) - used;
}

}  // namespace

bool is_open(const results::Row& row, const results::Session& session) {
  return row.judged.verdict == Verdict::inconclusive && rounds_of(row) < session.looks.back();
}

Indices open_rows(const results::Results& results) {
  Indices open;
  for (std::size_t i = 0; i < results.rows.size(); ++i)
    if (is_open(results.rows[i], results.session)) open.push_back(i);
  return open;
}

Indices next_rows(const results::Results& results, std::optional<double> left, bool patient) {
  const auto open = open_rows(results);
  if (!results.session.allotted) return open;
  // No row stops between two looks, and none of a patient session without a budget before the first one.
  const auto goes_on = [&](const results::Row& row) {
    return !at_look(row, results.session) ||
           (patient && !left && rounds_of(row) < results.session.looks.front());
  };
  auto between = open;
  std::erase_if(between, [&](std::size_t i) { return !goes_on(results.rows[i]); });
  if (!between.empty()) return between;
  std::vector<OpenRow> rows;
  const auto share = share_of_guess(results);
  for (const auto i : open) rows.push_back(open_row(results.rows[i], share));
  const auto seconds = left ? *left : allotment_left(results);
  Indices chosen;
  const double least = patient ? 0 : least_chance;
  for (const auto at : allot(rows, rule_of(results.session), seconds, full_round(results).start, least))
    chosen.push_back(open[at]);
  return chosen;
}

std::string why_no_more(const results::Row& row, const results::Session& session) {
  if (outlook(open_row(row, 1), rule_of(session), unlimited).look == 0)
    return "more rounds would hardly tell: it scatters too much, or lies at the edge of the margin";
  return "the time went to rows that were nearer to a verdict";
}

namespace {

constexpr double worth_a_word = 0.05;  // of the CPU

/// From the session's begin to the end of its last round, in seconds.
double taken(const results::Results& results) {
  double end = 0;
  for (const auto& round : results.rounds) end = std::max(end, round.start + round.seconds);
  return end;
}

/// "6m", "1h30m": rounded up.
std::string budget_text(double seconds) {
  const auto minutes = static_cast<int>(std::ceil(seconds / 60));
  if (minutes < 60) return fmt::format("{}m", minutes);
  return minutes % 60 == 0 ? fmt::format("{}h", minutes / 60)
                           : fmt::format("{}h{}m", minutes / 60, minutes % 60);
}

/// What a session that allots its rounds could do with more time.
struct Prospect {
  double seconds = 0;  // time that decides `rows` more rows; 0: more time decides none
  int rows = 0;        // on average
};

Prospect prospect(const results::Results& results) {
  const auto rule = rule_of(results.session);
  const auto start = full_round(results).start;
  double rows = 0, seconds = 0;
  int longest = 0;
  for (const auto i : open_rows(results)) {
    const auto row = open_row(results.rows[i], share_of_guess(results));
    const auto ahead = outlook(row, rule, unlimited);
    if (ahead.chance < 0.5) continue;  // promised is what will more likely be told than not
    rows += ahead.chance;
    seconds += ahead.seconds;
    longest = std::max(longest, ahead.look - static_cast<int>(row.log_ratios.size()));
  }
  if (rows < 0.5) return {};
  return {seconds + start * longest, static_cast<int>(std::lround(rows))};
}

/// A round of all open rows, by what ran here; a row that nothing is known of takes as long as the others on
/// average. 0 where nothing ran.
double seconds_of_a_round(const results::Results& results) {
  double known = 0, seconds = 0;
  const auto open = open_rows(results);
  for (const auto i : open) {
    const auto guess = guessed_seconds(results.rows[i]);
    known += guess > 0 ? 1 : 0;
    seconds += guess;
  }
  return known > 0 ? std::max(seconds * static_cast<double>(open.size()) / known, full_round(results).seconds)
                   : 0;
}

/// "Other programs took 31 % of the CPUs"; the sentence goes on.
std::string others_took(double share) {
  auto text = other_programs_text(share);
  text.front() = 'O';
  return text;
}

/// "Other programs took 31 % of the CPUs: wait until they have ended"; empty where they took next to none.
std::string wait_text(std::optional<double> other) {
  if (other.value_or(0) < worth_a_word) return {};
  return others_took(*other) + ": wait until they have ended";
}

/// What to do where the budget ended before the first look.
std::string advice_before_first_look(const results::Results& results, std::optional<double> other) {
  const auto wait = wait_text(other);
  const auto open = open_rows(results).size();
  const auto seconds = (1 + first_look(results.session)) * seconds_of_a_round(results);
  if (seconds <= 0)
    return (wait.empty() ? "Next: " : wait + ", or ") + "raise --budget or select fewer rows.";
  return fmt::format("{}run again with --budget {}: first verdicts of {} take about {} here.",
                     wait.empty() ? "Next: " : wait + ", or ", budget_text(seconds),
                     open == 1 ? "this row" : fmt::format("these {} rows", open), duration_text(seconds));
}

}  // namespace

std::optional<double> other_work(const results::Results& results) {
  double share = 0, seconds = 0;
  for (const auto& round : results.rounds) {
    if (!round.other_cpu) continue;
    share += *round.other_cpu * round.seconds;
    seconds += round.seconds;
  }
  if (results.rounds.empty()) return results.session.rehearsal_other_cpu;
  return seconds > 0 ? std::optional(share / seconds) : std::nullopt;
}

std::string disturbance_text(const results::Results& results) {
  const auto other = other_work(results);
  if (!other) return {};
  if (results.rounds.empty())
    return others_took(*other) + " during the rehearsal, and no round was finished.";
  double worst = 0;
  for (const auto& round : results.rounds) worst = std::max(worst, round.other_cpu.value_or(0));
  return fmt::format("{}, and {} in the worst round.", others_took(*other), share_text(worst));
}

std::string advice(const results::Results& results) {
  const auto open = open_rows(results);
  const auto other = other_work(results);
  if (open.empty() || (results.rounds.empty() && !other)) return {};
  const auto least = std::ranges::min(open, {}, [&](std::size_t i) { return rounds_of(results.rows[i]); });
  if (rounds_of(results.rows[least]) < first_look(results.session))
    return advice_before_first_look(results, other);
  if (!results.session.allotted) return {};
  const auto more = prospect(results);
  auto text = wait_text(other);
  if (more.rows > 0)
    text += fmt::format("{}run again with --budget {}", text.empty() ? "Next: " : ", or ",
                        budget_text(taken(results) + more.seconds));
  if (text.empty())
    return "More rounds would hardly help. Run `tuneproof doctor` to see what disturbs this machine, or "
           "raise --pairs.";
  return text + ".";
}

}  // namespace harness::run
