// Something for the host to do while the device is busy.
#pragma once

#include "harness/core/slot.hpp"

namespace microbench {

/// The recurrence of queue_work on one core: each round needs the one before, so it takes as long as it has
/// rounds, and it touches no memory that a copy would need.
inline float host_work(float x, int rounds) {
  float y = x;
  for (int r = 0; r < rounds; ++r) y = 0.5F * y + 1.0F / std::sqrt(y * y + 1.0F);
  return x + y;
}

/// The rounds that take about so many seconds.
inline int host_work_rounds(double seconds) {
  constexpr int trial = 100'000;
  constexpr double most = 1 << 30;
  double taken = 1;
  volatile float kept = 0.25F;  // or the loop would be left out
  for (int pass = 0; pass < 3; ++pass) {
    taken = std::min(taken, harness::host_seconds([&] { kept = host_work(kept, trial); }));
  }
  return static_cast<int>(std::clamp(std::round(trial * seconds / taken), 1.0, most));
}

}  // namespace microbench
