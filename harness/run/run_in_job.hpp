// `run` as one of a job's processes, started by torchrun or srun: docs/parallel.md.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/support/conversation.hpp"

namespace harness::run {

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
