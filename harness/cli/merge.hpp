// `tuneproof merge`: results of several nodes of one class of machine.
#pragma once

#include "harness/cli/program.hpp"

namespace harness {

/// Declares `merge`. Exit codes: harness/cli/exit_codes.hpp.
void add_merge(CLI::App& app, Action& chosen);

}  // namespace harness
