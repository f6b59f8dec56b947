// How much work takes so long, and how much of two pieces of it passes at once.
#pragma once

#include "harness/cuda/stream.hpp"

#include "microbench/host_time.hpp"
#include "microbench/overlap/overlap_work.hpp"

#include <cmath>

namespace microbench {

/// One part of an answer behind the other.
inline void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

/// The rounds with which queue_work over n values takes about so many seconds. Works on the values.
inline int work_rounds(double seconds, float* values, std::size_t n, const harness::Stream& stream) {
  constexpr double long_enough = 1e-3;  // for the launch not to count
  constexpr double most = 1 << 24;
  int trial = 64;
  double taken = 0;
  do {
    trial *= 4;
    taken = seconds_on(stream, [&] { harness::check(queue_work(values, n, trial, stream.get())); });
  } while (taken < long_enough && trial < 4096);
  return static_cast<int>(std::clamp(std::round(trial * seconds / taken), 1.0, most));
}

/// What share of the shorter of two things passes beside the longer one: 0 one after the other, 100 at once.
inline double overlap_percent(double one, double other, double both) {
  return 100 * (one + other - both) / std::min(one, other);
}

}  // namespace microbench
