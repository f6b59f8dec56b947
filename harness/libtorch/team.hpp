// All ranks of a row, as rank 0 sees them: how many, where, which processes of a job bring them, and how
// long each took. Rank 0 is the worker itself, and has had the others started.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"
#include "harness/libtorch/message.hpp"
#include "harness/libtorch/other_ranks.hpp"
#include "harness/libtorch/place.hpp"
#include "harness/libtorch/process_group.hpp"
#include "harness/libtorch/rank.hpp"
#include "harness/libtorch/rank_main.hpp"
#include "harness/libtorch/store.hpp"
#include "harness/run/job_place.hpp"
#include "harness/run/select.hpp"
#include "harness/support/fd.hpp"

namespace harness::inline libtorch {

/// Each of them starts a fresh rank when a team begins, and passes on what rank 0 and that rank say.
class JobProcesses {
 public:
  /// `meeting` is a run::MeetingPlace as JSON. Throws BadInput where its store is gone.
  JobProcesses(const std::string& meeting, std::chrono::milliseconds patience);

  int size() const { return static_cast<int>(all_.size()); }
  const std::vector<Whereabouts>& whereabouts() const { return all_; }
  /// "rank 1 on n2".
  std::string name_of(int rank) const;
  /// What the call of each rank says of the meeting.
  const std::string& meeting() const { return meeting_; }
  const std::string& team() const { return team_; }
  /// Has the process of that number start this rank.
  std::unique_ptr<OtherRank> start(const RankCall& call) const;
  /// Returns when each process has started its rank. Throws BadInput that names one that does not answer:
  /// then no later row could run either.
  void require_started() const;

 private:
  std::string meeting_;
  std::chrono::milliseconds patience_;
  Store store_;
  std::string team_;
  std::vector<Whereabouts> all_;  // rank 0's first
};

/// Of the runs since the last clear(), by form and rank.
class RankTimes {
 public:
  /// `names`: of the ranks, "rank 0" first.
  explicit RankTimes(std::vector<std::string> names);
  /// One run of the form; a reply for each rank.
  void add(Form form, std::span<const Reply> replies);
  void clear();
  /// "rank 1, time of a run" and "rank 1, CPU time of a run", medians; none before both forms have run.
  std::vector<Figure> figures() const;

 private:
  struct Times {
    std::vector<double> seconds, cpu_seconds;
  };
  std::vector<std::string> names_;
  std::array<std::vector<Times>, 2> forms_;
};

/// How many ranks, and how long one may let the others wait.
struct TeamPlan {
  int size = 2;
  std::chrono::milliseconds patience{60'000};
  std::string executable = "/proc/self/exe";  // its main() gives way to rank_main()
  std::string meeting = {};  // of a job, a run::MeetingPlace as JSON: its processes start the other ranks
};

/// The option in which a worker finds what a row may take at most, in seconds.
constexpr std::string_view row_timeout = "row_timeout";

/// A third of what a row may take, so that its own sentence comes before the supervisor's, which knows no
/// rank.
std::chrono::milliseconds patience_for(double row_seconds);

/// As `--ranks` and `--timeout` say. In a job its processes are the ranks. Throws BadInput where the first is
/// no number of ranks.
TeamPlan plan_of(const Setup& setup);

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

}  // namespace harness::inline libtorch
