#include "harness/cli/run.hpp"

#include "harness/cli/price_list.hpp"
#include "harness/cli/run_arguments.hpp"
#include "harness/cli/run_crew.hpp"
#include "harness/cli/run_output.hpp"
#include "harness/cli/run_predict.hpp"
#include "harness/cli/run_profile.hpp"
#include "harness/cli/run_resume.hpp"
#include "harness/cli/run_session.hpp"
#include "harness/machine/probe.hpp"
#include "harness/process/signals.hpp"
#include "harness/worker/ask.hpp"
#include "harness/worker/rounds.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <utility>

namespace harness {
namespace {

constexpr double three_looks = 2;  // rows that go on after the first look make a run about twice as long

/// The row as it stands before the rehearsal: open, or skipped from the start.
Row first_row(const PlannedRow& planned) {
  auto row = blank_row(planned);
  if (planned.skip.empty()) return row;
  row.judged.verdict = Verdict::skipped;
  row.reason = planned.skip;
  row.stage = "select";
  return row;
}

double expected_seconds(const PlannedRow& planned, const RunPlan& plan) {
  if (!planned.skip.empty()) return 0;
  return planned.row->seconds * (plan.looks.size() > 1 ? three_looks : 1) * plan.pairs;
}

int dry_run(const std::vector<PlannedRow>& rows, const RunPlan& plan) {
  double all = 0;
  for (const auto& planned : rows) {
    const auto seconds = expected_seconds(planned, plan);
    all += seconds;
    fmt::print("{}{}\n", planned.row->name,
               planned.skip.empty() ? fmt::format("  {:.0f} s", seconds) : "  skipped: " + planned.skip);
  }
  fmt::print("{} {}, at most about {:.1f} minutes\n", rows.size(), rows.size() == 1 ? "row" : "rows",
             all / 60);
  if (!plan.options.empty())
    fmt::print("(with the workloads' defaults: their options are read when it is measured)\n");
  return 0;
}

Workshop workshop_of(const RunPlan& plan, const RunArguments& arguments, const Program& program) {
  Workshop workshop{.worker = {program.worker, {"--measure"}, worker_environment(plan.threads)},
                    .job = job_of(plan),
                    .row_timeout = plan.timeout,
                    .row_timeout_text = arguments.timeout,
                    .row_seconds = {}};
  workshop.job.loader = program.self;
  workshop.row_seconds = [&program](const Row& row) {
    return row_seconds(program.catalogue, row.step, row.name);
  };
  return workshop;
}

int exit_code(const RunOutput& output, const Results& results, const std::optional<int>& signal) {
  if (signal) return 128 + *signal;
  if (output.abandoned()) return 128 + SIGPIPE;  // as if we had died of it, like any program in a pipe
  const auto failed = [](const Row& row) {
    return row.judged.verdict == Verdict::failed || (row.profile && !row.profile->reason.empty());
  };
  return output.broken() || std::ranges::any_of(results.rows, failed) ? 1 : 0;
}

/// All that `run` and `run --resume` have in common.
struct Running {
  const RunArguments& arguments;
  const RunPlan& plan;
  const Program& program;
  RunOutput& output;
};

ProfileOrder profile_order(const Running& run, const Workshop& workshop, const Schedule& schedule) {
  ProfileOrder order{{.worker = workshop.worker,
                      .job = workshop.job,
                      .rows = {},
                      .row_timeout = workshop.row_timeout,
                      .row_timeout_text = workshop.row_timeout_text,
                      .budget = {}},
                     run.arguments.profile_out};
  order.assignment.job.profile = ProfilePlan{schedule, {Form::naive, Form::optimized}, {}};
  return order;
}

std::optional<int> predict(Results& results, const Running& run, const Workshop& workshop,
                           SignalWatch& signals) {
  auto order = profile_order(run, workshop, counted_schedule);
  order.out = std::filesystem::temp_directory_path();
  order.assignment.job.profile->memory = true;
  const PricePlace place{place_of_prices(results.fingerprint), parse_device(results.session.device),
                         run.plan.threads};
  const auto say = [&](const std::string& line) { run.output.say(line); };
  const auto prices = prices_of(place, run.arguments.prices, {run.program.worker, say}, signals);
  return prices ? predict_rows(results, *prices, order, run.output, signals) : signals.take();
}

/// A budget that ends a session early decides what its rows can say, so it is reported outside the table too.
void tell_budget(const Results& results, const std::string& budget) {
  const auto rounds = finished_rounds(results);
  if (std::ranges::none_of(results.rows, [&](const Row& row) { return is_open(row, results.session); }))
    return;
  fmt::print(stderr,
             "tuneproof: the budget of {} was spent after {} of {} rounds; open rows stay undecided{}\n",
             budget, rounds, results.session.looks.back(),
             rounds == 0 ? ". No round fit into it: raise --budget, or name fewer rows" : "");
}

/// Measures what is open in the results.
int measure(Results& results, const Running& run) {
  auto workshop = workshop_of(run.plan, run.arguments, run.program);
  const auto memory = nameless_file("tuneproof-session");
  workshop.worker.memory = memory.get();
  SignalWatch signals;
  const auto crew = worker_crew(workshop, results, run.output, signals);
  const Limits limits{run.plan.budget, run.arguments.budget};
  auto signal = run.arguments.predict ? predict(results, run, workshop, signals) : std::nullopt;
  if (!signal) signal = Rounds(results, limits, crew).run();
  if (!signal && limits.budget) tell_budget(results, limits.budget_text);
  if (signal)
    fmt::print(stderr, "tuneproof: stopped, {} of {} rounds finished\n", finished_rounds(results),
               results.session.looks.front());
  if (!signal && run.plan.profile)
    signal = profile_finished_rows(results, run.program.catalogue,
                                   profile_order(run, workshop, *run.plan.profile), run.output, signals);
  run.output.finish(results);
  return exit_code(run.output, results, signal);
}

int resume(const RunArguments& arguments, const Program& program, const BuildInfo& build) {
  auto results = read_interrupted(arguments);
  const auto plan = plan_of(results, arguments);
  RunOutput output(arguments.resume);
  const auto probe = parse_json(ask_probe(program.worker, plan.selection.device.device), "probe");
  require_same_place(results, take_fingerprint(probe, build), build, arguments.resume);
  return measure(results, {arguments, plan, program, output});
}

int run_command(const RunArguments& arguments, const Program& program, const BuildInfo& build) {
  if (!arguments.resume.empty()) return resume(arguments, program, build);
  auto plan = plan_run(arguments);
  auto& selection = plan.selection;
  // A pattern that matches nothing is told before anything starts.
  require_use(plan.options, select_rows(program.catalogue, selection), program.catalogue);
  if (program.options.resolve != nullptr) program.options.resolve(plan.options);
  const std::string no_file;
  RunOutput output(arguments.dry_run ? no_file : arguments.json);

  const auto answer = probe_text(arguments, selection, program);
  const auto probe = parse_probe(answer);
  if (!accept_device(selection, arguments, probe)) return no_device_exit;
  auto rows = planned_rows(program.catalogue, selection, probe);
  skip_what_options_exclude(rows, plan.options, program.options);
  if (arguments.dry_run) return dry_run(rows, plan);

  if (selection.device.automatic && selection.has_cuda) selection.device.device = {Device::Kind::cuda, 0};
  Results results;
  results.session = new_session(plan, selection.device.device, build);
  results.fingerprint = take_fingerprint(parse_json(answer, "probe"), build);
  for (const auto& planned : rows) {
    results.rows.push_back(first_row(planned));
    results.session.rows.push_back(planned.row->name);
  }
  return measure(results, {arguments, plan, program, output});
}

}  // namespace

void add_run(CLI::App& app, const Program& program, const BuildInfo& build, Action& chosen) {
  auto* run = app.add_subcommand(
      "run", "Measure: compare the answers of each step's two forms, time them in pairs, judge");
  const auto arguments = std::make_shared<RunArguments>();
  declare(*run, *arguments, program.catalogue);
  run->callback([arguments, &program, &build, &chosen] {
    chosen = [arguments, &program, &build] { return run_command(*arguments, program, build); };
  });
}

}  // namespace harness
