// What is to be done to a row in one round, and who watches the device's clocks meanwhile.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace harness::inline core {

/// How a device's clocks are watched; empty functions where nobody can.
struct ClockWatch {
  std::function<std::optional<std::uint64_t>()> events = {};  // bits of nvmlClocksEventReason, now
  std::function<void()> rest = {};                            // lets the device cool down
};

/// What is to be done to a row in one round.
struct RoundPlan {
  int round = 0;  // from 0
  int pairs = 1;  // crossed pairs of quads, K in docs/measuring.md 3; their median stands for the round
  std::int64_t iterations = 1;
  std::uint64_t seed = 0;  // of this row in this round
  /// Before anything is timed or counted, each form runs once on each set. On a device the first run of a
  /// process takes the libraries' workspaces from LibTorch's allocator, and the second one the second block
  /// of a form that holds its last output: both would be the first form's.
  bool run_first = false;
  std::chrono::steady_clock::time_point begin = {};  // samples count their start from here
  ClockWatch clocks = {};
};

}  // namespace harness::inline core
