// `tuneproof profile`: one step under PyTorch's profiler, its traces, and what they say; and the command line
// of it.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/run/run_arguments.hpp"

namespace harness::run {

/// Declares the subcommand, the workloads' options included.
void add_profile(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

struct ProfileArguments {
  RunArguments run;  // the part that is common with `run`
  std::string workload;
  std::string form = "both";
  std::string schedule;
  std::string out = "profiles";
  std::size_t top = 10;
  std::vector<std::string> rest;  // behind --
};

/// Declares the arguments; the two must outlive the parsing.
void declare(CLI::App& command, ProfileArguments& arguments, const catalogue::Catalogue& catalogue);

/// "--scale 0.1" or "--scale=0.1" behind `--`, put beside the options before it. Throws BadInput.
void take_rest(ProfileArguments& arguments, const catalogue::Catalogue& catalogue);

/// `--form`.
std::vector<Form> forms_of(const ProfileArguments& arguments);

}  // namespace harness::run
