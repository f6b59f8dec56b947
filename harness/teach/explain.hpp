// `tuneproof explain STEP`: the lesson of one step, with the code of both forms as it was compiled, and with
// what was measured of it.
#pragma once

#include "harness/teach/step_page.hpp"

namespace harness::teach {

/// Declares the subcommand.
void add_explain(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

}  // namespace harness::teach
