// How long a call keeps the host, whatever the device still has to do when it returns, and how long work
// keeps a stream.
#pragma once

#include "harness/core/median.hpp"
#include "harness/core/slot.hpp"
#include "harness/core/step.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/event.hpp"
#include "harness/cuda/stream.hpp"

#include <limits>

namespace microbench {

/// Seconds until `call` returns: the median of 5 passes, and of as many more as 20 ms hold, but 21 in all.
/// `before` precedes each of them and is not timed.
template <class Before, class Call>
double typical_host_seconds(const Before& before, const Call& call) {
  constexpr std::size_t least = 5;
  constexpr std::size_t most = 21;
  const auto enough = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  std::vector<double> seconds;
  while (seconds.size() < least || (seconds.size() < most && std::chrono::steady_clock::now() < enough)) {
    before();
    seconds.push_back(harness::host_seconds(call));
  }
  return harness::median(std::move(seconds));
}

/// Microseconds until `call` returns, each time with the device idle before it. Leaves it idle.
template <class Call>
double host_microseconds(const Call& call) {
  const auto idle = [] { harness::check(cudaDeviceSynchronize()); };
  const double seconds = typical_host_seconds(idle, call);
  idle();
  return 1e6 * seconds;
}

/// The same of both forms, beside their times.
template <class Naive, class Optimized>
harness::Figure host_kept(const Naive& naive, const Optimized& optimized) {
  return {"host kept by the calls", "us", host_microseconds(naive), host_microseconds(optimized)};
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

}  // namespace microbench
