// `tuneproof versus`: commands of the user's against each other.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/build_info.hpp"

namespace harness::programs {

/// Declares the subcommand.
void add_versus(CLI::App& app, const BuildInfo& build, catalogue::Action& chosen);

}  // namespace harness::programs
