// `tuneproof prices`: what things cost on this machine. The worker
// measures; this is the light side, which also knows the prices
// that bear on each step: `explain` shows them beside a lesson.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/core/published.hpp"
#include "harness/machine/build_info.hpp"

#include <span>

namespace prices {

/// Declares the subcommand.
void add_prices(CLI::App& app, const harness::catalogue::Program& program, const harness::BuildInfo& build,
                harness::catalogue::Action& chosen);

/// By names alone: the list knows no step. A test holds the names against the steps and the list.
std::span<const harness::StepPrices> step_prices();

}  // namespace prices
