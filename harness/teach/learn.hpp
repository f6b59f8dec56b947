// `tuneproof learn`: the course, over a terminal or a pipe.
#pragma once

#include "harness/catalogue/program.hpp"

namespace harness::teach {

/// Declares the subcommand. Exit code 0 also where the learner left early; 130 after Ctrl-C.
void add_learn(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

}  // namespace harness::teach
