// The exit code that `compare` ends with, and so a gate: docs/measuring.md 12.
#pragma once

#include "harness/compare/comparison.hpp"
#include "harness/compare/contest_text.hpp"

namespace harness::compare {

/// Of two files that were not refused.
int exit_code(const Comparison& comparison, bool strict);

/// Of two programs that were not refused.
int exit_code(const ContestReport& report, bool strict);

}  // namespace harness::compare
