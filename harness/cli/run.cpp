#include "harness/cli/run.hpp"

#include "harness/cli/run_arguments.hpp"
#include "harness/cli/run_output.hpp"
#include "harness/cli/run_profile.hpp"
#include "harness/cli/run_session.hpp"
#include "harness/machine/probe.hpp"
#include "harness/process/signals.hpp"
#include "harness/worker/ask.hpp"
#include "harness/worker/foreman.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <utility>

namespace harness {
namespace {

constexpr double three_looks = 2;  // rows that go on after the first look make a run about twice as long

/// Everything that a run needs, decided before anything is measured.
struct Prepared {
  RunPlan plan;
  std::vector<PlannedRow> rows;
  Results results;  // without rows
};

double expected_seconds(const PlannedRow& planned, const RunPlan& plan) {
  if (!planned.skip.empty()) return 0;
  return planned.step->row_seconds * (plan.looks.size() > 1 ? three_looks : 1);
}

double expected_seconds(const Prepared& run) {
  double seconds = 0;
  for (const auto& planned : run.rows) seconds += expected_seconds(planned, run.plan);
  return seconds;
}

int dry_run(const Prepared& run) {
  for (const auto& planned : run.rows)
    fmt::print("{}{}\n", planned.row->name,
               planned.skip.empty() ? fmt::format("  {:.0f} s", expected_seconds(planned, run.plan))
                                    : "  skipped: " + planned.skip);
  fmt::print("{} rows, about {:.1f} minutes\n", run.rows.size(), expected_seconds(run) / 60);
  return 0;
}

/// Measures what can be measured; rows that cannot come at their place in the table.
class Conductor {
 public:
  Conductor(const Prepared& run, RunOutput& output, std::filesystem::path traces)
      : run_(run), output_(output), traces_(std::move(traces)) {}

  std::optional<int> measure(const Assignment& assignment) {
    SignalWatch signals;
    const Reports reports{.begun =
                              [this](const std::string& row) {
                                skip_planned();
                                output_.begin_row(row);
                              },
                          .unit = [this](int done, int of) { output_.unit(done, of); },
                          .ended = [this](Row row) { end_row(std::move(row)); },
                          .said = [this](const std::string& line) { output_.say(line); },
                          .stop = [this] { return output_.abandoned(); }};
    output_.begin(run_.results, static_cast<int>(run_.rows.size()), expected_seconds(run_));
    auto signal = Foreman(assignment, reports, signals).run();
    if (!signal && !output_.abandoned()) skip_planned();
    if (!signal && run_.plan.profile)
      signal = profile_finished_rows(output_, run_.rows, profile_order(assignment), signals);
    output_.finish();
    return signal;
  }

 private:
  void end_row(Row row) {
    output_.end_row(std::move(row), expected_seconds(run_.rows[next_], run_.plan));
    ++next_;
  }
  void skip_planned() {
    while (next_ < run_.rows.size() && !run_.rows[next_].skip.empty()) {
      auto row = blank_row(run_.rows[next_]);
      row.judged.verdict = Verdict::skipped;
      row.reason = run_.rows[next_].skip;
      row.stage = "select";
      output_.begin_row(row.name);
      end_row(std::move(row));
    }
  }

  ProfileOrder profile_order(const Assignment& assignment) const {
    ProfileOrder order{assignment, traces_};
    order.assignment.budget.reset();
    order.assignment.job.profile = ProfilePlan{*run_.plan.profile, {Form::naive, Form::optimized}, {}};
    return order;
  }

  const Prepared& run_;
  RunOutput& output_;
  std::filesystem::path traces_;
  std::size_t next_ = 0;
};

Assignment assignment_of(const Prepared& run, const RunArguments& arguments, const Program& program) {
  const auto& plan = run.plan;
  Assignment assignment;
  assignment.worker = {program.worker, {"--measure"}, worker_environment(plan.threads)};
  assignment.job = job_of(plan);
  for (const auto& planned : run.rows)
    if (planned.skip.empty()) assignment.rows.push_back(blank_row(planned));
  assignment.row_timeout = plan.timeout;
  assignment.row_timeout_text = arguments.timeout;
  assignment.budget = plan.budget;
  assignment.budget_text = arguments.budget;
  return assignment;
}

int exit_code(const RunOutput& output, const std::optional<int>& signal) {
  if (signal) return 128 + *signal;
  if (output.abandoned()) return 128 + SIGPIPE;  // as if we had died of it, like any program in a pipe
  const auto failed = [](const Row& row) {
    return row.judged.verdict == Verdict::failed || (row.profile && !row.profile->reason.empty());
  };
  return output.broken() || std::ranges::any_of(output.results().rows, failed) ? 1 : 0;
}

int run_command(const RunArguments& arguments, const Program& program, const BuildInfo& build) {
  Prepared run{plan_run(arguments), {}, {}};
  auto& selection = run.plan.selection;
  select_rows(program.catalogue, selection);  // a pattern that matches nothing is told before anything starts
  const std::string no_file;
  RunOutput output(arguments.dry_run ? no_file : arguments.json);

  const auto probe_text = ask_probe(program.worker, selection.device.device);
  const auto probe = parse_probe(probe_text);
  if (!accept_device(selection, arguments, probe)) return no_device_exit;
  run.rows = planned_rows(program.catalogue, selection, probe);
  if (arguments.dry_run) return dry_run(run);

  auto device = selection.device.device;
  if (selection.device.automatic && selection.has_cuda) device = {Device::Kind::cuda, 0};
  run.results.session = new_session(run.plan, device, build);
  run.results.fingerprint = take_fingerprint(parse_json(probe_text, "probe"), build);
  const auto signal =
      Conductor(run, output, arguments.profile_out).measure(assignment_of(run, arguments, program));
  if (signal)
    fmt::print(stderr, "tuneproof: stopped, {} of {} rows finished\n", output.results().rows.size(),
               run.rows.size());
  return exit_code(output, signal);
}

}  // namespace

void add_run(CLI::App& app, const Program& program, const BuildInfo& build, Action& chosen) {
  auto* run = app.add_subcommand("run", "Measure: each step's two forms, compared, timed in pairs, judged");
  const auto arguments = std::make_shared<RunArguments>();
  declare(*run, *arguments, program.catalogue);
  run->callback([arguments, &program, &build, &chosen] {
    chosen = [arguments, &program, &build] { return run_command(*arguments, program, build); };
  });
}

}  // namespace harness
