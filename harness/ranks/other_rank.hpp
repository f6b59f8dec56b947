// Another rank of a team, as rank 0 sees it.
#pragma once

#include "harness/ranks/message.hpp"

#include <chrono>
#include <string_view>

namespace harness::ranks {

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

}  // namespace harness::ranks
