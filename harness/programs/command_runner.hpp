// Measures the commands of a plan: the Runner that Rounds asks. A row is a command against the first one; a
// round of a row is one quad of fresh processes, first-other-other-first or its mirror by coin, or several
// where they are short.
#pragma once

#include "harness/programs/command_meter.hpp"
#include "harness/programs/plan.hpp"
#include "harness/run/rounds.hpp"
#include "harness/run/run_output.hpp"

namespace harness::programs {

/// The rows of a session that begins: each command but the first.
std::vector<results::Row> blank_rows(const Plan& plan, double delta);

/// Throws BadInput, which names the file, where no round of its rows can be taken: they are not one of each
/// command but the first, in their order, or one was rehearsed and has no number of quads.
void check_rows(const std::vector<results::Row>& rows, const Plan& plan, const std::string& file);

/// The row's figure, where it has one, is what its rounds have shown so far and not what the warm-up has.
void renew_figure(results::Row& row);

/// In a round of a row.
constexpr int most_quads = 16;

/// The quads of a round of commands that take so long: an even number, of which each second one is the mirror
/// of the one before, unless one is long.
int quads_of(double first_seconds, double other_seconds);

class CommandRunner {
 public:
  /// All must outlive it. `spent`: of the user's budget, before.
  CommandRunner(const Plan& plan, const results::Results& results, run::RunOutput& output,
                CommandMeter& meter, Seconds spent);

  run::PassOutcome run(const run::Pass& pass, const std::function<void(results::Row)>& ended);

 private:
  results::Row rehearsed(results::Row row, const Candidate& other);
  results::Row timed(results::Row row, int round, const Candidate& other);
  Measured warmed_up(const Candidate& candidate);
  void tell_room(std::optional<Seconds> left);

  const Plan& plan_;
  const results::Results& results_;
  run::RunOutput& output_;
  CommandMeter& meter_;
  std::optional<Measured> first_;              // of the rehearsal
  std::map<std::string, double> row_seconds_;  // of a round, by the last one or by the rehearsal
  int fewest_quads_ = most_quads;              // of a row in a round
  Seconds spent_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace harness::programs
