// `tuneproof history`: what earlier runs measured, and where a row moved.
#pragma once

#include "harness/catalogue/program.hpp"

namespace harness::compare {

/// Declares `history add` and `history check`. Both only advise.
void add_history(CLI::App& app, catalogue::Action& chosen);

}  // namespace harness::compare
