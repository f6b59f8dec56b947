// How long a call keeps the host.
#pragma once

#include <algorithm>
#include <chrono>

namespace microbench {

/// Milliseconds of the host's clock for `call`, the least of some; `before` is not timed.
template <class Before, class Call>
double host_milliseconds(const Before& before, const Call& call) {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  double least = 1e9;
  for (int i = 0; i < 5; ++i) {
    before();
    const auto begin = std::chrono::steady_clock::now();
    call();
    least = std::min(least, Milliseconds(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

}  // namespace microbench
