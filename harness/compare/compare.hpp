// `tuneproof compare` and `tuneproof export`: results files or programs, and what others make of them.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/compare/comparison.hpp"

namespace harness::compare {

/// Declares `compare`. Exit codes: harness/support/exit_codes.hpp.
void add_compare(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

/// Declares `export`.
void add_export(CLI::App& app, catalogue::Action& chosen);

/// The exit code of a comparison that was not refused.
int compare_exit(const Comparison& comparison, bool strict);

}  // namespace harness::compare
