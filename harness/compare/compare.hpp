// `tuneproof compare`, `export`, `merge` and `history`: results files or programs, and what others make of
// them.
#pragma once

#include "harness/catalogue/program.hpp"

namespace harness::compare {

/// Declares `compare`. Exit codes: harness/compare/ci.cpp.
void add_compare(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

/// Declares `export`.
void add_export(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

/// Declares `merge`. Exit codes: harness/support/exit_codes.hpp.
void add_merge(CLI::App& app, catalogue::Action& chosen);

/// Declares `history add` and `history check`. Both only advise.
void add_history(CLI::App& app, catalogue::Action& chosen);

}  // namespace harness::compare
