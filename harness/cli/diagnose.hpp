// `tuneproof diagnose`: what bounds a run, read from its profiler trace.
#pragma once

#include "harness/cli/program.hpp"

namespace harness {

/// Declares the subcommand. Exit code 2 where a finding named by --fail-on was made.
void add_diagnose(CLI::App& app, const Program& program, Action& chosen);

}  // namespace harness
