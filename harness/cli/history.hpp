// `tuneproof history`: what earlier runs measured, and where a row moved.
#pragma once

#include "harness/cli/program.hpp"

namespace harness {

/// Declares `history add` and `history check`. Both only advise.
void add_history(CLI::App& app, Action& chosen);

}  // namespace harness
