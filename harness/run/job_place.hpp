// The processes of a job: what torchrun or Slurm says of one, how many run a row together, where they meet,
// as rank 0's program passes it on to its workers, and `run` as one of them (docs/parallel.md).
#pragma once

#include "harness/core/setup.hpp"
#include "harness/support/run_program.hpp"

namespace harness::run {

/// One process of a job whose processes are the ranks of each row.
struct JobPlace {
  int number = 0;  // from 0
  int size = 1;
  std::string node;  // of this process
  std::string address = "127.0.0.1";
  int port = 0;               // there the job's processes meet
  bool meeting_open = false;  // the launcher itself listens at that port, as torchrun does
};

/// The value of an environment variable; empty where it is not set.
using Variables = std::function<std::string(const char* name)>;
Variables environment_variables();

/// Nothing where the process has no others beside it. RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT say it
/// where all four are set; else SLURM_PROCID and SLURM_STEP_NUM_TASKS, which srun sets and sbatch does not.
/// Throws BadInput, one sentence, where they are no numbers or where the first node is not known.
std::optional<JobPlace> job_place_from(const Variables& variable);

/// The node of each rank as Slurm has planned it; empty where it is not known.
std::vector<std::string> planned_nodes(const Variables& variable, int size);

/// As `--ranks` says; 2 where it says nothing. Throws BadInput where it is no number of processes.
int rank_count(const Options& options);

/// In a job the processes are the ranks: throws BadInput where `--ranks` says another number.
void require_ranks_of(const JobPlace& launch, const Options& options);

/// The option in which a worker finds it; none where no job's processes have met.
constexpr std::string_view meeting_option = "meeting";

struct MeetingPlace {
  std::string address;
  int port = 0;
  std::string prefix;              // of the keys of this run: another run of the same job has another
  std::vector<std::string> nodes;  // of the ranks, rank 0's first
};

/// One line of JSON.
std::string meeting_to_json(const MeetingPlace& place);
/// Throws BadInput where it is malformed.
MeetingPlace meeting_from_json(std::string_view text);

/// The meeting of a job's processes, as rank 0 holds it. When it goes, it tells the others that the run has
/// failed, unless it has told them how the run ended.
class JobMeeting {
 public:
  /// Waits for the others: a third of what a row may take, a minute at most. Throws BadInput that names those
  /// who have not come.
  JobMeeting(const std::filesystem::path& worker, std::chrono::duration<double> row_timeout);
  JobMeeting(const JobMeeting&) = delete;
  JobMeeting& operator=(const JobMeeting&) = delete;
  ~JobMeeting();

  /// As JSON, for a worker's meeting_option.
  const std::string& place() const { return place_; }
  /// Of the ranks, rank 0's first: "n1, n2".
  std::string nodes() const;
  /// Tells the others how the run has ended, and gives that exit code.
  int end(int exit_code);

 private:
  Conversation host_;
  std::string place_;
  bool ended_ = false;
};

/// Puts the ranks and their nodes among the options of a session.
void note_nodes(Options& options, const JobMeeting& meeting);

/// Throws BadInput unless the ranks run where those of the file's session did; no meeting: no job.
void require_same_nodes(const Options& options, const JobMeeting* meeting, const std::string& file);

/// This process becomes one that starts ranks for rank 0 until its run is over. Throws BadInput where the
/// worker cannot be started.
[[noreturn]] void join_meeting(const std::filesystem::path& worker,
                               std::chrono::duration<double> row_timeout);

}  // namespace harness::run
