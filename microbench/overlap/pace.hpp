// How long work takes, and how much of it is needed to take so long.
#pragma once

#include "harness/cuda/event.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/overlap/work.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace microbench {

/// One part of an answer behind the other.
inline void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

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

/// The rounds with which queue_work over n values takes about so many seconds. Works on the values.
inline int work_rounds(double seconds, float* values, std::size_t n, const harness::Stream& stream) {
  constexpr int trial = 4096;  // long enough for the launch not to count
  constexpr double most = 1 << 24;
  const auto taken = seconds_on(stream, [&] { harness::check(queue_work(values, n, trial, stream.get())); });
  return static_cast<int>(std::clamp(std::round(trial * seconds / taken), 1.0, most));
}

/// What share of the shorter of two things passes beside the longer one: 0 one after the other, 100 at once.
inline double overlap_percent(double one, double other, double both) {
  return 100 * (one + other - both) / std::min(one, other);
}

}  // namespace microbench
