// What was asked of `tuneproof tune`, from the command line to a plan.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/tune/plan.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace harness::tune {

/// As typed. Of `run` only device, timeout, threads, seed and the workloads' options are used.
struct TuneArguments {
  std::string workload;
  run::RunArguments run;
  int trials = 40;
  std::string budget, memory;
  double margin = 5;  // percent
  std::vector<std::string> fixed;
  bool pareto = false;
  bool grid = false;
  bool dry_run = false;
  std::string python = "python3";
  std::string storage, out, json;  // empty: storage and out are named after the workload
};

/// Declares the arguments. Both must outlive the parsing.
void declare(CLI::App& command, TuneArguments& arguments, const catalogue::Program& program);

/// The workload of that name. Throws BadInput where there is none.
const catalogue::TunableWorkload& workload_named(const std::string& name, const catalogue::Program& program);

/// The rows that may prove it: its step, at as many settings.
run::RunPlan proof_plan(const TuneArguments& arguments, const catalogue::TunableWorkload& workload);

/// The plan for the place. Throws BadInput, one sentence that names the argument.
Plan plan_of(const TuneArguments& arguments, const catalogue::TunableWorkload& workload,
             const catalogue::TuningPlace& place);

}  // namespace harness::tune
