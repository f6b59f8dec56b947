// Another rank that is a process of this worker's own.
#pragma once

#include "harness/libtorch/other_ranks.hpp"
#include "harness/libtorch/rank_life.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/start_process.hpp"

namespace harness::inline libtorch {

/// Owns the process: killed and reaped when its owner goes, so that neither process nor zombie is left.
class RankProcess : public OtherRank {
 public:
  /// `meeting` is the file through which the ranks of one worker meet. Throws std::system_error where the
  /// executable cannot be started.
  RankProcess(const std::string& executable, const RankCall& call, const Fd& meeting);
  /// One that its owner has started, and that takes other orders than a team's.
  RankProcess(std::chrono::milliseconds patience, StartedProcess started);
  ~RankProcess() override;

  void ask(std::string_view message) override;
  bool has_news(Time until) override;
  Reply answer(Time until) override;
  pid_t process() const { return process_; }

 private:
  Reply silence() const;

  std::chrono::milliseconds patience_;
  pid_t process_ = -1;
  Fd socket_;
};

}  // namespace harness::inline libtorch
