// `tuneproof compare --base OLD/tuneproof --head NEW/tuneproof`: both programs in one measurement; this
// gates.
#pragma once

#include "harness/cli/ci_output.hpp"
#include "harness/cli/program.hpp"
#include "harness/cli/run_arguments.hpp"
#include "harness/record/stand_in.hpp"
#include "harness/report/contest.hpp"

#include <string>

namespace harness {

struct ProgramsArguments {
  std::string base, head;
  RunArguments run;       // what both are to measure; patterns are compare's own arguments
  double plant_head = 0;  // per cent
  bool no_selftest = false;
  std::string selftest;  // the file of one; empty: this class of machine's own
  std::string confirm_after = "60s";
  StandIn stand_in = StandIn::refuse;
};

/// Declares the options; each of them needs --base, and this one --head. The two must outlive the parsing.
void declare(CLI::App& command, ProgramsArguments& arguments, const Catalogue& catalogue);

/// Measures and reports. Returns the exit code; throws BadInput.
int compare_programs(const ProgramsArguments& arguments, const CiArguments& ci, bool strict);

/// The exit code of a contest that was not refused: docs/measuring.md 12.
int contest_exit(const ContestReport& report, bool strict);

}  // namespace harness
