// Commands of the user's: `tuneproof versus` holds them against each other, and `tuneproof tune` searches the
// knobs of one, then proves what it has found.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/build_info.hpp"

namespace harness::programs {

/// Declare the subcommands.
void add_versus(CLI::App& app, const BuildInfo& build, catalogue::Action& chosen);
void add_tune(CLI::App& app, const BuildInfo& build, catalogue::Action& chosen);

}  // namespace harness::programs
