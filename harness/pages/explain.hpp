// `tuneproof explain` and `tuneproof learn`: the lesson of one step, and the course.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/pages/step_page.hpp"

namespace harness::pages {

/// Declares the subcommand.
void add_explain(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

/// Declares the subcommand. Exit code 0 also where the learner left early; 128 and the signal that stopped
/// it.
void add_learn(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

}  // namespace harness::pages
