// `tuneproof learn`: the course, over a terminal or a pipe.
#pragma once

#include "harness/cli/program.hpp"

namespace harness {

/// Declares the subcommand. Exit code 0 also where the learner left early; 130 after Ctrl-C.
void add_learn(CLI::App& app, const Program& program, Action& chosen);

}  // namespace harness
