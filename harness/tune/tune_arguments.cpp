#include "harness/tune/tune_arguments.hpp"

#include "harness/machine/host.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace harness::tune {
namespace {

constexpr int most_trials = 100'000;
constexpr double most_percent = 1000;
constexpr int proof_pairs =
    2;  // where all settings are equal and slots have 5 % noise, rows then end in "no effect"

constexpr auto footer =
    "The winner of a noisy search is partly lucky. So its best three, and the best of plain advice,\n"
    "are then measured as rows against the standard settings, in fresh processes, and judged.\n"
    "\n"
    "--storage keeps the search: the same command continues where it was stopped. optuna-dashboard\n"
    "sqlite:///FILE shows it.\n"
    "\n"
    "Exit code 0: done, whatever was found. 1: wrong use, or a file that cannot be read or written.\n"
    "\n"
    "Examples:\n"
    "  tuneproof tune gpt --budget 10m --json tune.json      search and prove; `report` shows the file\n"
    "  tuneproof tune gpt --dry-run                          the knobs, and how long it should take\n"
    "  tuneproof tune stgym --memory 1G --fix precision=fp32 with a memory limit and a fixed precision\n"
    "  tuneproof tune unet --grid --trials 24                without Python";

/// What the step of a workload reads; `--memory` is this command's own.
void declare_options(CLI::App& command, TuneArguments& arguments, const catalogue::Catalogue& catalogue) {
  for (const auto& option : catalogue.options) {
    const auto name = run::option_name(option.name);
    if (name == "memory") continue;
    command.add_option("--" + name, arguments.run.options[name], option.meaning)
        ->type_name(option.value)
        ->group("Workloads");
  }
}

std::string values_text(const catalogue::Knob& knob) { return join_or(knob.values); }

Settings fixed_settings(const std::vector<std::string>& texts, const std::vector<catalogue::Knob>& knobs) {
  Settings fixed;
  std::vector<std::string> names;
  for (const auto& knob : knobs) names.push_back(knob.name);
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    const auto knob = std::ranges::find(knobs, text.substr(0, equals), &catalogue::Knob::name);
    if (equals == std::string::npos || knob == knobs.end())
      throw BadInput(fmt::format("--fix '{}': expected KNOB=VALUE with one of {}", text, join_or(names)));
    const auto value = text.substr(equals + 1);
    if (std::ranges::find(knob->values, value) == knob->values.end())
      throw BadInput(fmt::format("--fix '{}': expected {}", text, values_text(*knob)));
    const auto& kept = fixed.emplace(knob->name, value).first->second;
    if (kept != value)
      throw BadInput(fmt::format("--fix '{}': {} is fixed at {} already", text, knob->name, kept));
  }
  return fixed;
}

}  // namespace

void declare(CLI::App& command, TuneArguments& arguments, const catalogue::Program& program) {
  std::vector<std::string> names;
  for (const auto& workload : program.tunable_workloads) names.emplace_back(workload.workload);
  arguments.run.seed = "1";
  command.add_option("WORKLOAD", arguments.workload, "What to tune: " + join_or(names))->required();
  command.add_option("--budget", arguments.budget, "End after about this time, proof included: 10m, 1h")
      ->type_name("TIME");
  command.add_option("--trials", arguments.trials, "Trainings of the search")
      ->check(CLI::Range(1, most_trials))
      ->capture_default_str();
  command.add_option("--memory", arguments.memory, "Memory limit of a training: 512M, 2G")->type_name("SIZE");
  command
      .add_option("--margin", arguments.margin,
                  "The loss may be this much above the standard one, in percent")
      ->check(CLI::Range(0.0, most_percent))
      ->capture_default_str();
  command.add_option("--fix", arguments.fixed, "Keep a knob at a value; repeatable")
      ->type_name("KNOB=VALUE")
      ->allow_extra_args(false);
  command.add_flag("--pareto", arguments.pareto,
                   "Search with two objectives, time and memory; no trial is stopped early");
  command.add_flag("--grid", arguments.grid, "Search by successive halving, without Python");
  command.add_option("--seed", arguments.run.seed, "Seed of the search and of made-up data")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--device", arguments.run.device, "auto, cpu, cuda or cuda:N")->capture_default_str();
  command.add_option("--threads", arguments.run.threads, "The most CPU threads; default: all cores")
      ->check(CLI::Range(1, run::most_threads));
  command.add_option("--timeout", arguments.run.timeout, "Give up on a training or a row after this time")
      ->type_name("TIME")
      ->capture_default_str();
  command.add_option("--python", arguments.python, "The Python that has Optuna")
      ->type_name("PROGRAM")
      ->capture_default_str();
  command.add_option("--storage", arguments.storage, "Keep the search in FILE; default: tune-WORKLOAD.db")
      ->type_name("FILE");
  command
      .add_option("--out", arguments.out,
                  "Write the proven settings to FILE; default: tune-WORKLOAD.settings.json")
      ->type_name("FILE");
  command.add_option("--json", arguments.json, "Write all trials and the proof to FILE, for `report`")
      ->type_name("FILE");
  command.add_flag("--dry-run", arguments.dry_run, "Only print the knobs and how long it should take");
  declare_options(command, arguments, program.catalogue);
  command.footer(footer);
}

const catalogue::TunableWorkload& workload_named(const std::string& name, const catalogue::Program& program) {
  const auto found =
      std::ranges::find(program.tunable_workloads, name, &catalogue::TunableWorkload::workload);
  if (found != program.tunable_workloads.end()) return *found;
  std::vector<std::string> names;
  for (const auto& workload : program.tunable_workloads) names.emplace_back(workload.workload);
  throw BadInput(fmt::format("tune: unknown workload '{:.40}'; expected {}", name, join_or(names)));
}

run::RunPlan proof_plan(const TuneArguments& arguments, const catalogue::TunableWorkload& workload) {
  auto with_threads = arguments.run;
  // Threads are a knob here, and PyTorch's default is the standard: all cores.
  if (with_threads.threads == 0) with_threads.threads = usable_cores(read_host());
  with_threads.patterns = {std::string(workload.step)};
  with_threads.suite = "full";
  with_threads.looks = 3;
  with_threads.pairs = proof_pairs;
  with_threads.dry_run = arguments.dry_run;
  return run::plan_run(with_threads);
}

Plan plan_of(const TuneArguments& arguments, const catalogue::TunableWorkload& workload,
             const catalogue::TuningPlace& place) {
  Plan plan{.workload = workload,
            .knobs = workload.knobs(place),
            .options = place.options,
            .device = place.device,
            .threads = place.threads,
            .trials = arguments.trials,
            .margin = arguments.margin / 100,
            .pareto = arguments.pareto,
            .grid = arguments.grid};
  plan.fixed = fixed_settings(arguments.fixed, plan.knobs);
  for (const auto* file : {&arguments.storage, &arguments.out, &arguments.json})
    if (*file == "-") throw BadInput("tune: '-' is no file; --storage, --out and --json each need a name");
  if (!arguments.budget.empty()) plan.budget = parse_duration(arguments.budget, "--budget");
  if (!arguments.memory.empty()) plan.memory = static_cast<double>(parse_size(arguments.memory, "--memory"));
  if (plan.pareto && plan.grid) throw BadInput("tune: --pareto needs Optuna, which --grid leaves out");
  if (const auto reason = catalogue::why_not(workload.clashes, standard_of(plan)); !reason.empty())
    throw BadInput("--fix: " + reason);
  if (searched_knobs(plan).empty()) throw BadInput("--fix leaves nothing to search");
  return plan;
}

}  // namespace harness::tune
