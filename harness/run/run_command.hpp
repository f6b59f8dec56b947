// `tuneproof run`: measure, print the table, store the results.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/build_info.hpp"

namespace harness::run {

/// Declares the subcommand, the workloads' options included.
void add_run(CLI::App& app, const catalogue::Program& program, const BuildInfo& build,
             catalogue::Action& chosen);

}  // namespace harness::run
