// What became of a published claim that no step covers. Plain data.
#pragma once

#include <string_view>

namespace harness::inline core {

/// finding: `diagnose` says it of a trace, or another command of the machine. refused: it cannot be built
/// honestly in C++. planned: nothing stands against it but time.
enum class ClaimFate { finding, refused, planned };

struct Claim {
  std::string_view id;
  ClaimFate fate;
  std::string_view what;  // where it is found, or why there is no step
};

}  // namespace harness::inline core
