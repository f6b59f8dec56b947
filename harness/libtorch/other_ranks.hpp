// The other ranks of a team, processes of this worker's own, as rank 0 sees them and has them do something
// together; and which of them was at fault, for what one rank does wrong is seen first by those that wait for
// it.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/libtorch/message.hpp"
#include "harness/libtorch/rank_main.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/process_loader.hpp"

namespace harness::inline libtorch {

/// The rank that is at fault and what it did, as a sentence without a full stop: "rank 1 (process 4711) was
/// killed by signal 9 (Killed)". `replies` is the last word of each rank; of rank 0, whose reply stays open,
/// `own_reason` is what it has thrown, empty where it is done.
std::string who_broke_it(std::span<const std::string> names, std::span<const Reply> replies,
                         const std::string& own_reason);

/// A process that this worker has started, or one that a process of the job has started for it. It ends when
/// this does.
class OtherRank {
 public:
  using Time = std::chrono::steady_clock::time_point;

  OtherRank() = default;
  OtherRank(const OtherRank&) = delete;
  OtherRank& operator=(const OtherRank&) = delete;
  virtual ~OtherRank() = default;

  /// Its message, as it lies in memory. That it is gone is noticed where its reply is awaited.
  virtual void ask(std::string_view message) = 0;
  /// True as soon as it has replied or is gone.
  virtual bool has_news(Time until) = 0;
  /// Its reply, or what has become of it: `End::died`, or `End::silent` where nothing comes by then.
  virtual Reply answer(Time until) = 0;
};

/// "rank 0", "rank 1" and so on.
std::vector<std::string> rank_names(int size);

/// Owns them. A rank that dies, throws or does not come breaks all of it for good: the call throws
/// std::runtime_error with its number and the reason, and so does every later one; a rank that skips makes
/// the call throw Skip.
class OtherRanks {
 public:
  /// `names` has one for each rank, rank 0's first; `device` is rank 0's. A reply that does not come within
  /// `patience` breaks them.
  OtherRanks(std::vector<std::string> names, const Device& device, std::chrono::milliseconds patience);

  /// The next one, rank 1 first.
  void add(std::unique_ptr<OtherRank> other) { others_.push_back(std::move(other)); }
  const std::vector<std::string>& names() const { return names_; }

  /// Each of them is asked, and rank 0 does its `own` part. Returns when all have replied. Without a
  /// `message` they do their part unasked: one that has just been started joins the others.
  void together(std::string_view message, const std::function<void()>& own);
  /// True as soon as one has replied or is gone: for a Meeting's `watch`.
  bool somebody_spoke() const;

  /// What came of the last call, one for each rank. Rank 0's stays open; what it notes of its own part is the
  /// owner's to say.
  std::vector<Reply>& replies() { return replies_; }
  const std::vector<Reply>& replies() const { return replies_; }

 private:
  void await(std::size_t other);
  void leave(const std::string& reason);
  [[noreturn]] void give_up(const std::string& own_reason);

  std::vector<std::string> names_;
  Device device_;
  std::chrono::milliseconds patience_;
  std::string broken_;
  std::vector<Reply> replies_;
  std::vector<std::unique_ptr<OtherRank>> others_;
};

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
