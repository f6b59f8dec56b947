// `tuneproof prices`: what things cost on this machine. The worker measures; this is the light side.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/build_info.hpp"

namespace prices {

/// Declares the subcommand.
void add_prices(CLI::App& app, const harness::catalogue::Program& program, const harness::BuildInfo& build,
                harness::catalogue::Action& chosen);

}  // namespace prices
