// `tuneproof explain STEP`: the lesson of one step, with the code of both forms as it was compiled, and with
// what was measured of it.
#pragma once

#include "harness/cli/step_page.hpp"

namespace harness {

/// Declares the subcommand.
void add_explain(CLI::App& app, const Program& program, Action& chosen);

}  // namespace harness
