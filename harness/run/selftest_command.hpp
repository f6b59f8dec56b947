// `tuneproof selftest`: how often this machine would cry wolf, and how often it would miss a slowdown; and
// what was asked of it.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/run/run_arguments.hpp"

namespace harness::run {

/// Declares the subcommand.
void add_selftest(CLI::App& app, const catalogue::Program& program, const BuildInfo& build,
                  catalogue::Action& chosen);

/// Where a target was missed.
constexpr int target_missed_exit = 4;

/// As typed. The options of `run` say where and with what the pairs run.
struct SelfTestArguments {
  RunArguments surroundings;
  int sessions = 0;  // 0: as many as the proofs need, or as fit the budget
};

/// Declares the arguments on `selftest`. The two must outlive the parsing.
void declare(CLI::App& selftest, SelfTestArguments& arguments, const catalogue::Catalogue& catalogue);

}  // namespace harness::run
