// `tuneproof scorecard`: how good the predictions were.
#pragma once

#include "harness/cli/program.hpp"

namespace harness {

/// Declares `scorecard`.
void add_scorecard(CLI::App& app, Action& chosen);

}  // namespace harness
