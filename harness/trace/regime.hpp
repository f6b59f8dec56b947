// What bounds a run: the verdict over shares of time. docs/diagnose.md explains each threshold.
#pragma once

#include "harness/trace/timeline.hpp"

namespace harness::trace {

enum class Regime : std::uint8_t { input, overhead, communication, memory, compute, unknown };
std::string_view to_string(Regime regime);  // "input-bound", "overhead/sync-bound", ..., "cannot say"

/// A share above this decides alone: no other can be larger.
inline constexpr double majority = 0.5;
/// A device that stands idle for this share is held up by its host: the published "utilisation below 70 %
/// means that something is wrong".
inline constexpr double starved = 0.3;

/// The shares of time by regime, each of the whole but the first use of kernels.
struct Balance {
  double input = 0;  // waiting for input, copies in, transforms
  /// Launches, synchronizations, gaps, copies out and those in the model; small operators, Python, the rest.
  double overhead = 0;
  double communication = 0;  // exposed
  double memory = 0;
  double compute = 0;
  double unknown = 0;  // work of unknown kind, other waiting
  double idle = 0;     // everything in which the device does nothing, or the model of a CPU run
  double held = 0;     // of that, what its host is known to cause
};
Balance balance_of(const Shares& shares);

/// Majority, else starvation, else the largest share. Unknown where nothing was recorded of the device, or
/// its work tells not what it is.
Regime regime_of(const Balance& balance);

/// The verdict in words.
struct RegimeVerdict {
  Regime regime = Regime::unknown;
  double share = 0;               // of the time that speaks for it
  std::string evidence = {};      // one line with the figures
  std::string would_change = {};  // what would move it; "" where nothing is known
};

/// `steps` is the number of spans that the shares add up; times are worded per step where it is above 1.
RegimeVerdict judge(const Shares& shares, std::int64_t steps);

/// A use below this share is not named.
inline constexpr double least_shown = 0.005;
}  // namespace harness::trace
