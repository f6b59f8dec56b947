// `tuneproof compare --base OLD/tuneproof --head NEW/tuneproof`: both programs in one measurement; this
// gates.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/compare/across.hpp"
#include "harness/compare/ci.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/run/run_arguments.hpp"

#include <string>
#include <vector>

namespace harness::compare {

struct ProgramsArguments {
  std::string base, head;
  run::RunArguments run;  // what both are to measure; patterns are compare's own arguments
  double plant_head = 0;  // per cent
  bool no_selftest = false;
  std::vector<Across> across = {};
  std::string selftest;  // the file of one; empty: this class of machine's own
  std::string confirm_after = "60s";
  results::StandIn stand_in = results::StandIn::refuse;
};

/// Declares the options; each of them needs --base, and this one --head. The two must outlive the parsing.
void declare(CLI::App& command, ProgramsArguments& arguments, const catalogue::Catalogue& catalogue);

/// Measures and reports. Returns the exit code; throws BadInput.
int compare_programs(const ProgramsArguments& arguments, const catalogue::OptionReader& reader,
                     const CiArguments& ci, const Demands& demands);

}  // namespace harness::compare
