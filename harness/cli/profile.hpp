// `tuneproof profile`: one step under PyTorch's profiler, its traces, and what they say.
#pragma once

#include "harness/cli/program.hpp"

namespace harness {

/// Declares the subcommand, the workloads' options included.
void add_profile(CLI::App& app, const Program& program, Action& chosen);

}  // namespace harness
