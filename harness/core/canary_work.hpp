// A fixed piece of work, timed now and then while rows are measured: where it takes longer than usual, the
// machine was disturbed.
#pragma once

#include "harness/core/host_seconds.hpp"

#include <cstdint>

namespace harness::inline core {

/// Seconds of a chain of multiplications in which each needs the one before: neither memory nor the number of
/// cores has a part in it. About 5 ms.
inline double canary_seconds() {
  constexpr int links = 4'000'000;
  return host_seconds([] {
    std::uint64_t state = 1;
    for (int i = 0; i < links; ++i) state = state * 6364136223846793005u + 1442695040888963407u;
    [[maybe_unused]] volatile std::uint64_t kept = state;  // else the loop is left out
  });
}

}  // namespace harness::inline core
