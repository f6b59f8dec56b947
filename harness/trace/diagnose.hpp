// `tuneproof diagnose`: what bounds a run, read from its profiler trace.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/trace/op_table.hpp"
#include "harness/trace/window.hpp"

namespace harness::trace {

/// Declares the subcommand. Exit code 2 where a finding named by --fail-on was made.
void add_diagnose(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

struct DiagnoseArguments {
  std::vector<std::string> traces;
  std::string against, json, sort = "self_cpu", steps, phase, peaks;
  std::vector<std::string> fail_on;
  std::vector<std::string> evidence;
  std::vector<std::string> only;  // names of report_parts(); empty: all
  std::size_t top = 10;
  bool all_steps = false;
  bool by_shape = false;
  std::uint64_t unpacked_mib = 2048;
};

/// A whole report of a real trace with the command that prints it; docs/example_diagnosis.txt, embedded.
std::string_view example_diagnosis();

/// Declares the options on the command.
void declare(CLI::App& command, DiagnoseArguments& arguments);

/// `--steps 17..20`, `--all-steps`. Throws BadInput.
WindowChoice window_of(const DiagnoseArguments& arguments);
/// `--sort`. Throws BadInput, naming the columns.
OpKey sort_key(const std::string& word);
/// `--only`. Throws BadInput, naming the parts.
void check_parts(const std::vector<std::string>& parts);
/// `--fail-on`. Throws BadInput, naming near misses.
void check_ids(const std::vector<std::string>& ids);

}  // namespace harness::trace
