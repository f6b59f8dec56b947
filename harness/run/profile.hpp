// `tuneproof profile`: one step under PyTorch's profiler, its traces, and what they say.
#pragma once

#include "harness/catalogue/program.hpp"

namespace harness::run {

/// Declares the subcommand, the workloads' options included.
void add_profile(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

}  // namespace harness::run
