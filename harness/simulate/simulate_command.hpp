// `tuneproof simulate`: what a tip would be worth on a GPU that you do not have.
#pragma once

#include "harness/catalogue/program.hpp"

namespace harness::simulate {

/// Declares the subcommand.
void add_simulate(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

}  // namespace harness::simulate
