// Pairs for `tuneproof selftest`: plain operations of which benchmarks are made, both forms equal. They are
// no tips, so neither `list` nor `run` knows them.
#pragma once

#include "harness/core/step.hpp"

namespace microbench {

/// One plain operation at the points of its axes. The file that its id names holds it.
struct EqualPair {
  std::string_view id;
  std::span<const harness::Axis> axes;
  harness::Prepare prepare;
  harness::Runs runs = harness::Runs::host;
};

/// All of them, as the harness runs them.
harness::Steps selftest_pairs();

/// A set whose two forms are the same function.
inline harness::Trial equal_forms(const std::function<void()>& run, std::function<void()> clear,
                                  const std::function<harness::Answer()>& answer) {
  return {.naive = run, .optimized = run, .clear = std::move(clear), .answer = [answer](harness::Form) {
            return answer();
          }};
}

}  // namespace microbench
