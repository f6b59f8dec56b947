#include "harness/programs/versus.hpp"

#include "harness/programs/command_runner.hpp"
#include "harness/programs/session.hpp"
#include "harness/programs/versus_arguments.hpp"
#include "harness/programs/versus_text.hpp"
#include "harness/run/run_session.hpp"
#include "harness/support/overwriting.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/usage.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace harness::programs {
namespace {

constexpr auto versus_examples =
    "Each round runs the first command and each other one in fresh processes: first, other, other,\n"
    "first, or the mirror of it. The measurement ends when the difference is clear, or after 10\n"
    "rounds (three and more commands: 11 to 17) or 20 s, whichever is later. --budget takes more\n"
    "rounds, up to 56.\n"
    "\n"
    "Exit code 0: compared; with --fail-above, --junit, --markdown, --annotations or --strict:\n"
    "nothing is slower. 1: wrong use, or a command failed. 2: slower beyond the margin. 4: not\n"
    "decided. 130: stopped by Ctrl-C.\n"
    "\n"
    "Examples:\n"
    "  tuneproof versus 'python train.py' 'python train.py --workers 4'\n"
    "  tuneproof versus 'python train.py' 'python train.py --workers 4' --metric step --steps 100\n"
    "  tuneproof versus base/bench head/bench --metric cpu --fail-above 3% --junit junit.xml\n"
    "  tuneproof versus 'python train.py --workers {w}' --parameter w 0,2,4";

/// What else was given would be ignored.
void refuse_another_plan(const CLI::App& command) {
  refuse_others(command,
                {"--resume", "--budget", "--commit", "--strict", "--junit", "--markdown", "--annotations"},
                "--resume takes the commands and all that concerns them from its file; you may add only "
                "--budget, --commit, --strict and reports for CI");
}

std::string stopped_text(const results::Results& results, const VersusArguments& arguments,
                         const run::RunOutput& output) {
  const auto& file = arguments.resume.empty() ? arguments.common.json : arguments.resume;
  const auto rounds = run::finished_rounds(results);
  const bool kept = !arguments.resume.empty() || output.has_stored();
  return fmt::format("stopped after {} {}{}", rounds, rounds == 1 ? "round" : "rounds",
                     kept ? fmt::format("; `tuneproof versus --resume {}` goes on", file) : "");
}

/// Measures and shows; returns the exit code.
int measure_and_report(results::Results& results, const Plan& plan, const VersusArguments& arguments,
                       run::RunOutput& output, const compare::CiOutput& ci_output) {
  SignalWatch signals;
  const auto signal = measure(results, plan, limits_of(arguments.common), output, signals);
  show(results, plan, output);
  auto report = versus_ci(results, plan, arguments.strict);
  report.signal = signal;
  const auto failure = output.failure();
  if (!failure.empty()) report.errors.push_back(failure);
  const auto say = [&](const std::string& line) {
    if (plan.gates) output.print(line + "\n");
    if (const auto late = output.failure(); late != failure) throw std::runtime_error(late);
  };
  const auto conclusion = ci_output.write(std::move(report), say);
  if (signal) tell(stopped_text(results, arguments, output));
  if (plan.gates || signal) return conclusion.code;
  return output.exit_code(std::ranges::any_of(results.rows, results::is_error));
}

/// What is to be measured, and the file that it goes to.
struct Opened {
  results::Results results;
  Plan plan;
  std::unique_ptr<run::RunOutput> output = {};  // none where its file may still be one that is read
};

Opened open_new(const VersusArguments& arguments, const BuildInfo& build) {
  auto results = open_session(plan_of(arguments), delta_of(arguments), arguments.common.seed, build);
  auto plan = plan_from(results.session.options, "");
  return {std::move(results), std::move(plan)};
}

Opened open_interrupted(const VersusArguments& arguments, const BuildInfo& build) {
  run::require_resumable(arguments.resume);
  auto output = std::make_unique<run::RunOutput>(arguments.resume);  // before the file is read
  auto results = results::read_results(arguments.resume);
  run::require_same_place(results, fingerprint_here(build), build, arguments.resume);
  auto plan = plan_from(results.session.options, arguments.resume);
  check_rows(results.rows, plan, arguments.resume);
  return {std::move(results), std::move(plan), std::move(output)};
}

/// No report takes the place of what the commands read, so this stands outside of what writes reports.
void keep_input(const VersusArguments& arguments, const std::string& input) {
  const auto& file = arguments.resume.empty() ? arguments.common.json : arguments.resume;
  for (const auto& [option, written] :
       {std::pair{"--json", file}, {"--junit", arguments.ci.junit}, {"--markdown", arguments.ci.markdown}})
    refuse_overwriting(fmt::format("versus: {} {}", option, written), written, {input});
}

int versus(VersusArguments arguments, const CLI::App& command, const BuildInfo& build) {
  const compare::CiOutput ci_output(arguments.ci);
  const bool resumes = !arguments.resume.empty();
  if (!resumes) ci_output.announce("tuneproof versus");  // git, which is asked next, may take its time
  std::optional<Opened> opened;
  ci_output.guard("tuneproof versus", [&] {
    if (resumes) refuse_another_plan(command);
    const auto info = build_at(build, arguments.common.commit);
    opened = resumes ? open_interrupted(arguments, info) : open_new(arguments, info);
    return 0;
  });
  auto& plan = opened->plan;
  plan.gates = plan.gates || gates(arguments);
  keep_input(arguments, plan.input);
  const auto title = title_of(plan);
  if (resumes) ci_output.announce(title);
  return ci_output.guard(title, [&] {
    auto& output = opened->output;
    if (!output) output = std::make_unique<run::RunOutput>(arguments.common.json);
    return measure_and_report(opened->results, plan, arguments, *output, ci_output);
  });
}

}  // namespace

void add_versus(CLI::App& app, const BuildInfo& build, catalogue::Action& chosen) {
  auto* command = app.add_subcommand(
      "versus", "Compare commands of your own: which is faster, in fresh processes in turn");
  const auto arguments = std::make_shared<VersusArguments>();
  declare(*command, *arguments);
  command->footer(versus_examples);
  catalogue::choose_by(*command, chosen,
                       [arguments, command, &build] { return versus(*arguments, *command, build); });
}

}  // namespace harness::programs
