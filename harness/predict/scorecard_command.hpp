// `tuneproof scorecard`: how good the predictions were.
#pragma once

#include "harness/catalogue/program.hpp"

namespace harness::predict {

/// Declares `scorecard`.
void add_scorecard(CLI::App& app, catalogue::Action& chosen);

}  // namespace harness::predict
