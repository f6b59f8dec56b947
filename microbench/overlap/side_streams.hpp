// Streams beside the timed one, tied to it at both ends.
#pragma once

#include "harness/cuda/event.hpp"
#include "harness/cuda/stream.hpp"

#include <cstddef>
#include <vector>

namespace microbench {

/// Streams that begin where the timed one stands and that it waits for in the end, so that the time between
/// two marks holds their work as well.
class SideStreams {
 public:
  explicit SideStreams(std::size_t count) : streams_(count), joins_(count) {}
  std::size_t size() const { return streams_.size(); }
  const harness::Stream& operator[](std::size_t i) const { return streams_[i]; }

  /// What the streams do from here on comes after what `timed` was given so far.
  void fork(const harness::Stream& timed) const {
    fork_.record(timed);
    for (const auto& stream : streams_) fork_.hold(stream);
  }
  /// What `timed` does from here on comes after what the streams were given so far.
  void join(const harness::Stream& timed) const {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      joins_[i].record(streams_[i]);
      joins_[i].hold(timed);
    }
  }

 private:
  harness::Event fork_;
  std::vector<harness::Stream> streams_;
  std::vector<harness::Event> joins_;
};

}  // namespace microbench
