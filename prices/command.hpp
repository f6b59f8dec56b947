// `tuneproof prices`: what things cost on this machine. The worker measures; this is the light side.
#pragma once

#include "harness/cli/program.hpp"

namespace prices {

/// Declares the subcommand.
void add_prices(CLI::App& app, const harness::Program& program, harness::Action& chosen);

}  // namespace prices
