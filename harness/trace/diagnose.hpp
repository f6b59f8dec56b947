// `tuneproof diagnose`: what bounds a run, read from its profiler trace.
#pragma once

#include "harness/catalogue/program.hpp"

namespace harness::trace {

/// Declares the subcommand. Exit code 2 where a finding named by --fail-on was made.
void add_diagnose(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

/// A whole report of a real trace with the command that prints it; docs/example_diagnosis.txt, embedded.
std::string_view example_diagnosis();

}  // namespace harness::trace
