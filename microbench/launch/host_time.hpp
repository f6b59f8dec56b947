// What queueing costs the host, apart from what the device then does.
#pragma once

#include "harness/cuda/stream.hpp"
#include "harness/stats/median.hpp"

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

namespace microbench {

inline constexpr int host_calls = 21;

/// Microseconds until `queue` returns, with nothing queued before it: the median of host_calls calls.
inline double host_microseconds(const harness::Stream& stream, const std::function<void()>& queue) {
  std::vector<double> microseconds;
  for (int i = 0; i < host_calls; ++i) {
    stream.synchronize();
    const auto begin = std::chrono::steady_clock::now();
    queue();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
    microseconds.push_back(time.count());
  }
  stream.synchronize();
  return harness::median(std::move(microseconds));
}

}  // namespace microbench
