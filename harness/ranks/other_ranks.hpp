// All other ranks, as rank 0 has them do something together.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/ranks/message.hpp"
#include "harness/ranks/other_rank.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness::ranks {

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

}  // namespace harness::ranks
