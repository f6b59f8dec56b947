// `tuneproof run`: measure, print the table, store the results.
#pragma once

#include "harness/cli/program.hpp"
#include "harness/machine/build_info.hpp"

namespace harness {

/// Declares the subcommand, the workloads' options included.
void add_run(CLI::App& app, const Program& program, const BuildInfo& build, Action& chosen);

}  // namespace harness
