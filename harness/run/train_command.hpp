// `tuneproof train WORKLOAD`: one training with settings, and what it took. A program like any of the user's
// own, so that `versus` and `tune` need to know nothing of it.
#pragma once

#include "harness/catalogue/program.hpp"

namespace harness::run {

/// Declares the subcommand.
void add_train(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

}  // namespace harness::run
