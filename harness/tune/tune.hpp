// `tuneproof tune`: search a workload's knobs, then prove what the search claims.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/build_info.hpp"

namespace harness::tune {

/// Declares the subcommand, the workloads' options included.
void add_tune(CLI::App& app, const catalogue::Program& program, const BuildInfo& build,
              catalogue::Action& chosen);

}  // namespace harness::tune
