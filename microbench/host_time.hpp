// How long a call keeps the host, whatever the device still has to do when it returns.
#pragma once

#include "harness/core/host_seconds.hpp"
#include "harness/core/median.hpp"
#include "harness/core/step.hpp"
#include "harness/cuda/check.hpp"

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

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

}  // namespace microbench
