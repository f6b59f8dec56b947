// The other processes of a job, as rank 0's worker reaches them.
#pragma once

#include "harness/ranks/other_rank.hpp"
#include "harness/ranks/rank_call.hpp"
#include "harness/ranks/store.hpp"
#include "harness/ranks/whereabouts.hpp"
#include "harness/run/meeting_place.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace harness::ranks {

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

}  // namespace harness::ranks
