// What was asked of `tuneproof selftest`.
#pragma once

#include "harness/run/run_arguments.hpp"

namespace harness::selftest {

/// As typed. Where and with what the pairs run is said as for `run`.
struct SelfTestArguments {
  run::RunArguments surroundings;
  int sessions = 0;  // 0: as many as the proofs need, or as fit the budget
};

/// Declares the arguments on `selftest`. The two must outlive the parsing.
void declare(CLI::App& selftest, SelfTestArguments& arguments, const catalogue::Catalogue& catalogue);

}  // namespace harness::selftest
