// `tuneproof merge`: results of several nodes of one class of machine.
#pragma once

#include "harness/catalogue/program.hpp"

namespace harness::compare {

/// Declares `merge`. Exit codes: harness/support/exit_codes.hpp.
void add_merge(CLI::App& app, catalogue::Action& chosen);

}  // namespace harness::compare
