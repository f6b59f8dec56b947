// `tuneproof selftest`: how often this machine would cry wolf, and how often it would miss a slowdown.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/build_info.hpp"

namespace harness::run {

/// Declares the subcommand.
void add_selftest(CLI::App& app, const catalogue::Program& program, const BuildInfo& build,
                  catalogue::Action& chosen);

}  // namespace harness::run
