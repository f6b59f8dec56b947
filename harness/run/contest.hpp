// Two programs in one measurement (docs/measuring.md 8). Each round is four processes, two of each program,
// base-head-head-base or its mirror by coin: neither a drift nor the place in the round favours one of them.
// What Rounds then judges as a row's two forms are its optimized form in the two
// programs; its naive form is the control.
#pragma once

#include "harness/run/rounds.hpp"

namespace harness::run {

enum class ContestBuild { base, head };
/// "BASE" or "HEAD".
std::string_view to_string(ContestBuild build);

/// The processes of a round, in order.
std::array<ContestBuild, 4> contest_order(std::uint64_t seed, int round);

/// One of the processes of a pass.
struct ContestProcess {
  ContestBuild build = ContestBuild::base;
  int number = 0;  // from 0
  int of = 4;
  std::uint64_t seed = 0;  // of the session
};

/// Runs a pass in a fresh process of a build; hands over each row that has ended.
using Launch = std::function<PassOutcome(const ContestProcess& process, const Pass& pass,
                                         const std::function<void(results::Row)>& ended)>;

/// What a contest learns of a row beside its units.
struct Besides {
  std::vector<Figure> base, head;
  std::vector<double> control;  // ln(time(head) / time(base)) of the naive form, one a round
};

class Contest {
 public:
  Contest(std::uint64_t seed, Launch launch) : seed_(seed), launch_(std::move(launch)) {}

  /// A pass in both programs: the `run` of a Runner. The rehearsals agree on the smaller number of runs for a
  /// slot. A round gives each row one unit, ln(time(head) / time(base)), and one sample for each program
  /// (naive: base, optimized: head). A row that one program could not run ends with that program's reason.
  PassOutcome run(const Pass& pass, const std::function<void(results::Row)>& ended);

  const Besides& besides(const std::string& row) { return besides_[row]; }

 private:
  struct Heard {
    std::array<std::vector<results::Row>, 2> rows;  // by build
    std::array<std::vector<results::Row>, 2> errors;
  };
  results::Row merged(const results::Row& place, const Pass& pass, const Heard& heard);
  results::Row rehearsed(results::Row row, const Heard& heard);
  results::Row timed(results::Row row, int round, const Heard& heard);

  std::uint64_t seed_;
  Launch launch_;
  std::map<std::string, Besides> besides_;
};

}  // namespace harness::run
