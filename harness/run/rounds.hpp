// Takes a session's rounds, from its first rehearsal to its last look (docs/measuring.md 4 and 5). Which rows
// take a round is asked of open_rows. Knows neither processes nor the clock: a Runner has both.
#pragma once

#include "harness/results/results.hpp"
#include "harness/run/judge_row.hpp"
#include "harness/run/open_rows.hpp"
#include "harness/run/supervisor.hpp"

namespace harness::run {

/// What one worker process is to do.
struct Pass {
  std::optional<int> round = {};        // from 0; nothing: the rehearsal
  int look = 0;                         // rounds at the next look
  std::vector<results::Row> rows = {};  // in the order in which they run
  std::optional<Seconds> budget = {};   // what is left of it
};

/// How passes are carried out.
struct Runner {
  /// Runs a pass in a process of its own; hands over each row that has ended.
  std::function<PassOutcome(const Pass& pass, const std::function<void(results::Row)>& ended)> run;
  /// Since the session began, or was resumed.
  std::function<Seconds()> clock;
  /// Called whenever the results may be stored; no worker is at work then.
  std::function<void()> store;
  /// Told the share of the CPU that other programs took during the rehearsal; false: the session ends there.
  std::function<bool(double)> disturbed = [](double) { return true; };
  /// Says after each round where a row stands, and so whether it goes on.
  std::function<void(results::Row& row, const results::Results& results)> judge = judge_row;
};

/// How long after its begin what a budget bounds has ended: what is in flight when it is spent may be slow
/// rather than stuck, and goes on for a tenth of it, or for 30 s.
Seconds with_overtime(Seconds budget);

struct Limits {
  std::optional<Duration> budget = {};
  Seconds spent{};  // before, of what its text says
  /// Rows go on that have little hope of a verdict: the scatter of three rounds says little, and no other row
  /// waits for their time.
  bool patient = false;
};

/// "tuneproof: 3 rows were not counted, since ...; raise --budget ...": of what follows the rounds.
std::string left_out_text(const std::string& what, std::size_t rows, const Limits& limits);

class Rounds {
 public:
  /// `results` has session and fingerprint filled in, and all rows of the table in order: those to measure
  /// blank, or as far as an earlier run has come, the others skipped with their reason.
  Rounds(results::Results& results, const Limits& limits, const Runner& runner)
      : results_(results), limits_(limits), runner_(runner) {}

  /// Takes rounds until no row is to go on or the budget is spent. Returns the signal that ended it early, if
  /// one did; of the round in flight the rows that had ended are kept. Throws what the runner throws.
  std::optional<int> run();

 private:
  Indices in_order(Indices rows, int round) const;
  bool complete(const Pass& pass, const Indices& which);
  bool rehearse();
  bool goes_on(std::optional<double> other_cpu);
  bool take_round(Indices rows);
  std::string why_open(const results::Row& row) const;
  void note(const results::Round& round);
  bool fits_budget() const;
  std::optional<Seconds> budget_left() const;
  std::optional<Seconds> room_left() const;

  results::Results& results_;
  const Limits& limits_;
  const Runner& runner_;
  std::optional<int> signal_;
  PassOutcome outcome_;              // the last one
  std::vector<results::Row> ended_;  // in it
  Seconds last_round_{0};
};

/// Why a row is open whose session its budget ended: "the budget of 15s ran out", and beside what, where
/// other programs took that share of the CPU while nothing but the rehearsal fitted in.
std::string ran_out_text(const std::string& budget, std::optional<double> other_cpu);

/// The rounds that every open row has. One more may have been cut: it has some of the rows, and is finished
/// first where the session goes on.
int finished_rounds(const results::Results& results);

/// Where the row stands, and how many runs make a slot, but not what was measured or judged.
results::Row place_of(const results::Row& row);

}  // namespace harness::run
