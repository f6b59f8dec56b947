// Recorded operators run again by themselves: what they cost here, outside of the work that called them.
#pragma once

#include "harness/libtorch/operator_record.hpp"

#include <span>
#include <string>
#include <vector>

namespace harness::inline libtorch {

/// Sequences of calls, timed in turns.
struct ReplayTimes {
  /// Seconds of one pass of each sequence, a list for each turn.
  std::vector<std::vector<double>> turns;
  std::string reason;  // why they cannot be run again: an operator threw
};

/// Runs each sequence again and again, `turns` times in turns, with the settings of each call. What calling
/// an operator by its record takes longer than calling it from C++ is measured and taken off.
ReplayTimes replay(std::span<const OperatorSequence> sequences, int turns);

}  // namespace harness::inline libtorch
