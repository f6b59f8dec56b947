// Several ranks of one run: who waits for whom.
#pragma once

#include "harness/trace/diagnosis.hpp"

namespace harness::trace {

/// One rank beside the others; times per step where there are steps, else over its whole recording.
struct RankTime {
  std::int64_t rank = absent;
  std::string file;
  double step_us = 0;
  bool stepped = false;         // the times are those of a step, else of the whole
  double working_us = 0;        // kernels that compute, copies and fills
  double communicating_us = 0;  // with no kernel beside it
  double waiting_us = 0;        // in collectives, beyond what the rank of a group spends that spends least
  /// Others wait for it, and it hardly waits itself.
  bool straggler = false;
};

/// Ranks that meet in the collectives of one process group, and how long each waits there for the one that
/// enters them last. Compared are none, where one of them has no collective (its kernels were lost) or some
/// have steps and others have none.
struct RankGroup {
  std::string members;                  // "" where the traces tell of no groups: all ranks meet
  std::vector<std::size_t> ranks = {};  // places in RankSummary::ranks
  std::vector<double> waiting_us = {};  // of each of them
  std::size_t last = 0;                 // the place of the one that waits 0

  double mean_waiting_us() const;
};

struct RankSummary {
  std::vector<RankTime> ranks;    // by rank
  std::vector<RankGroup> groups;  // of two ranks or more
  double mean_working_us = 0;
  double mean_communicating_us = 0;
  /// (longest working time less the mean) / mean, in the group where that is most: what perfect balance would
  /// take away.
  double imbalance = 0;
  double waiting_us = 0;   // mean over ranks, per step
  double first_steps = 1;  // judged steps of the first trace; a saving is the sum over these
};

/// Throws BadInput where several traces are not what the ranks of one run are: each another rank.
void require_ranks(std::span<const Diagnosis> diagnoses);

RankSummary rank_summary(std::span<const Diagnosis> diagnoses);

/// The judged times of all ranks, added up.
struct JudgedTime {
  Shares shares = {};
  std::int64_t steps = 0;
};
JudgedTime judged_time(std::span<const Diagnosis> diagnoses);

/// The verdict over them.
RegimeVerdict common_verdict(std::span<const Diagnosis> diagnoses);

/// "rank_imbalance" for each straggler.
std::vector<Finding> rank_findings(const RankSummary& summary);

}  // namespace harness::trace
