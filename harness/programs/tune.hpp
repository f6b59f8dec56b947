// `tuneproof tune`: searches the knobs of a command of the user's, then proves what it has found.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/build_info.hpp"

namespace harness::programs {

/// Declares the subcommand.
void add_tune(CLI::App& app, const BuildInfo& build, catalogue::Action& chosen);

}  // namespace harness::programs
