// `tuneproof compare` and `tuneproof export`: results files, and what others make of them.
#pragma once

#include "harness/cli/program.hpp"
#include "harness/compare/comparison.hpp"

namespace harness {

/// Declares `compare`. Exit codes of measuring.md 2.10: 2 where a count rose, 3 where the files may not be
/// compared, 4 with --strict.
void add_compare(CLI::App& app, Action& chosen);

/// Declares `export`.
void add_export(CLI::App& app, Action& chosen);

/// The exit code of a comparison that was not refused.
int compare_exit(const Comparison& comparison, bool strict);

}  // namespace harness
