// `tuneproof run`: measure, print the table, store the results.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/build_info.hpp"

namespace app {

/// Declares the subcommand, the workloads' options included.
void add_run(CLI::App& app, const harness::catalogue::Program& program, const harness::BuildInfo& build,
             harness::catalogue::Action& chosen);

}  // namespace app
