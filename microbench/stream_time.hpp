// How long work keeps a stream.
#pragma once

#include "harness/cuda/event.hpp"
#include "harness/cuda/stream.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace microbench {

/// Seconds that the stream needs for what `queue` gives it: the shortest of two passes or of as many as 20 ms
/// hold, since the first one loads kernels, and a device that was idle has yet to raise its clocks. The host
/// waits.
template <class Queue>
double seconds_on(const harness::Stream& stream, const Queue& queue) {
  const harness::TimedEvent begin;
  const harness::TimedEvent end;
  const auto enough = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  double shortest = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < 2 || std::chrono::steady_clock::now() < enough; ++pass) {
    begin.record(stream);
    queue();
    end.record(stream);
    end.synchronize();
    shortest = std::min(shortest, (end - begin).count());
  }
  return shortest;
}

}  // namespace microbench
