#pragma once

#include <ctime>

namespace harness::inline core {

/// CPU seconds that all threads of this process have used so far.
inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace harness::inline core
