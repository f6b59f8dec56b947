// What was asked of `tuneproof selftest`.
#pragma once

#include "harness/cli/run_arguments.hpp"

namespace harness {

/// As typed. Where and with what the pairs run is said as for `run`.
struct SelfTestArguments {
  RunArguments surroundings;
  int sessions = 0;  // 0: as many as the proofs need, or as fit the budget
};

/// Declares the arguments on `selftest`. The two must outlive the parsing.
void declare(CLI::App& selftest, SelfTestArguments& arguments, const Catalogue& catalogue);

}  // namespace harness
