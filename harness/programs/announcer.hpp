// Messages while the program runs: each once, and few, since the terminal is the program's.
#pragma once

#include "harness/programs/notes.hpp"

#include <cstddef>

namespace harness::programs {

/// A minute after the import of torch, it reports that the program has made no step.
inline constexpr double patience_seconds = 60;
/// Packing that takes longer is announced, since the program stands still.
inline constexpr double packing_seconds = 2;

class Announcer {
 public:
  /// The sentences that are new since the last call; `now` in seconds since 1970.
  std::vector<std::string> news(const Notes& notes, double now);

 private:
  std::size_t traces_ = 0;
  std::size_t packing_ = 0;
  bool no_step_ = false;
};

/// "steps 10 to 14".
std::string steps_text(std::int64_t first, std::int64_t steps);

}  // namespace harness::programs
