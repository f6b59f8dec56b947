// All ranks of a row, as rank 0 sees them: it is the worker itself, and has had the others started.
#pragma once

#include "harness/core/step.hpp"
#include "harness/ranks/job_processes.hpp"
#include "harness/ranks/message.hpp"
#include "harness/ranks/other_ranks.hpp"
#include "harness/ranks/place.hpp"
#include "harness/ranks/process_group.hpp"
#include "harness/ranks/rank.hpp"
#include "harness/ranks/rank_times.hpp"
#include "harness/ranks/team_plan.hpp"
#include "harness/run/find_row.hpp"
#include "harness/support/fd.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace harness::ranks {

/// Starts the other ranks, or has a job's processes start them, each on CPUs of its own with one OpenMP
/// thread, and makes them do what rank 0 does. They are killed and reaped when it goes, and when it or its
/// worker dies. Nothing of their meeting lies in the file system. A rank that dies, throws or does not come
/// breaks the team for good, as OtherRanks says.
class Team {
 public:
  /// Throws Skip where the ranks have no room here, BadInput where a process of the job does not answer.
  Team(const run::StepAt& found, const Setup& setup, const TeamPlan& plan);

  const std::string& row() const { return row_; }
  /// The ids of the other ranks' processes, rank 1 first; in a job, where others have started them, none.
  const std::vector<pid_t>& processes() const { return processes_; }

  /// One more set of the row, on all ranks: the trial of rank 0, whose functions take the others along.
  friend Trial prepare_in(const std::shared_ptr<Team>& team, Setup& setup);

 private:
  using Call = std::function<void()>;

  void start_others(const Setup& setup);
  Meeting own_meeting();
  /// `own` is rank 0's part. Returns when all ranks have done theirs.
  void together(const Request& request, const Call& own);
  void run(const Request& request, const Call& own);
  Answer answer(const Request& request, const Trial& own);
  static Trial on_all_ranks(const std::shared_ptr<Team>& team, std::int64_t set,
                            const std::shared_ptr<const Trial>& own);
  Share share_of_rank(int rank) const;

  run::StepAt found_;
  std::string row_;
  TeamPlan plan_;
  std::optional<JobProcesses> job_;  // of a job
  Fd meeting_;
  std::vector<int> cpus_;  // of all ranks
  std::vector<int> own_cpus_;
  std::optional<OneRanksThreads> threads_;  // once the others run: they share what the worker may use
  std::shared_ptr<const Rank> rank_;
  std::int64_t sets_ = 0;
  std::vector<pid_t> processes_;
  OtherRanks others_;  // they go before what they share with us
  RankTimes times_;
};

Trial prepare_in(const std::shared_ptr<Team>& team, Setup& setup);

}  // namespace harness::ranks
