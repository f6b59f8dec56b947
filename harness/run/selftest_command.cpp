#include "harness/run/selftest_command.hpp"

#include "harness/machine/probe.hpp"
#include "harness/run/run_session.hpp"
#include "harness/run/self_test.hpp"
#include "harness/run/self_test_file.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/exit_codes.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iterator>

namespace harness::run {
namespace {

constexpr double row_seconds = 3.5;

/// As typed. The options of `run` say where and with what the pairs run.
struct SelfTestArguments {
  RunArguments surroundings;
  int sessions = 0;  // 0: as many as the proofs need, or as fit the budget
};

/// All that the sessions have in common.
struct SelfTestRun {
  const SelfTestArguments& arguments;
  const catalogue::Program& program;
  RunPlan plan;
  SessionsPlan sessions_plan = {};
  SelfTest test = {};
  bool whole = false;  // every pair: a self-test of the machine
};

/// The pairs, and the tips' rows where a pattern may mean them.
catalogue::Catalogue catalogue_of_pairs(const catalogue::Program& program, bool with_tips) {
  auto catalogue = catalogue::parse_catalogue(ask_selftest_pairs(program.worker));
  catalogue.options = program.catalogue->options;
  if (with_tips) std::ranges::copy(program.catalogue->steps, std::back_inserter(catalogue.steps));
  return catalogue;
}

std::string_view name_of(Planted planted) {
  if (planted == Planted::nothing) return "A/A";
  return planted == Planted::slower ? "B slower" : "A slower";
}

std::string title_of(const SelfTestRun& run, const SessionView& view) {
  const auto of = run.sessions_plan.sessions > 0 ? fmt::format("/{}", run.sessions_plan.sessions) : "";
  return fmt::format("session {}{} {} ", view.number + 1, of, name_of(view.planted));
}

std::optional<int> take_session(results::Results& results, const SessionView& view, const SelfTestRun& run,
                                SignalWatch& signals) {
  const auto memory = nameless_file("tuneproof-session");
  WorkerSetup worker_setup{.plan = worker_plan_of(run.plan, run.program.worker, run.program.self),
                           .title = title_of(run, view),
                           .row_seconds = [](const results::Row&) { return row_seconds; }};
  worker_setup.plan.worker.memory = memory.get();
  worker_setup.plan.task.seed = results.session.seed;
  worker_setup.plan.task.plant = plant_of(view.planted, run.test.planted);
  RunOutput output({});  // shows the progress; nothing of a single session is printed or stored
  const auto runner = worker_runner(worker_setup, results, output, signals);
  const Limits no_limits;
  return Rounds(results, no_limits, runner).run();
}

/// Where the result goes besides standard output. A file that cannot be written is reported before anything
/// runs.
class SelfTestOutput {
 public:
  explicit SelfTestOutput(const std::string& file) : table_(table_beside(file)) {
    if (!file.empty() && file != "-") file_.emplace(file);
  }
  /// A disk that is full for a while costs no session: the next one is stored with all before it.
  void store(const SelfTest& test) {
    if (!file_) return;
    try {
      file_->write(pretty(self_test_to_json(test)));
      error_.clear();
    } catch (const BadInput& error) {
      if (error_.empty()) tell(error.what());
      error_ = error.what();
    }
  }
  bool broken() const { return !error_.empty(); }
  void show(const SelfTest& test, const SelfTestReport& report) const {
    const auto style = style_of(table_);
    const auto warning =
        results::on_stand_in(self_test_to_json(test)) ? results::warning_line(style) : std::string();
    show_lines(table_, warning + self_test_table(test, report, style) +
                           self_test_summary(test, report, style) + warning);
    if (table_ == stderr) show_lines(stdout, pretty(self_test_to_json(test)));
    if (file_ && !broken()) results::tell_results_file(file_->path());
  }

 private:
  std::FILE* table_;
  std::optional<ReplaceFile> file_;
  std::string error_;
};

/// A self-test of some pairs, or one that was stopped, is none of the machine.
void cache(const SelfTestRun& run, const std::optional<int>& signal) {
  const auto not_kept = [](std::string_view why) {
    tell(fmt::format("the self-test is not kept for `compare`: {}", why));
  };
  if (signal) return not_kept("it was stopped");
  if (!run.whole) return not_kept("it took only some of the pairs");
  try {
    const auto file = cache_self_test(run.test);
    if (!file) return not_kept("neither XDG_CACHE_HOME nor HOME names a folder");
    tell(fmt::format("the self-test is kept in {}", file->string()));
  } catch (const BadInput& error) {
    not_kept(error.what());
  }
}

/// Where a target was missed.
constexpr int target_missed_exit = 4;

int exit_code(const SelfTest& test, const SelfTestReport& report, const std::optional<int>& signal) {
  if (signal) return 128 + *signal;
  if (std::ranges::any_of(test.pairs, &TestedPair::failed)) return 1;
  return report.grade == Grade::c ? target_missed_exit : 0;
}

int measure(SelfTestRun& run) {
  SelfTestOutput output(run.arguments.surroundings.json);
  SignalWatch signals;
  const auto begin = std::chrono::steady_clock::now();
  const SessionRunner runner{
      .run = [&](auto& results, const auto& view) { return take_session(results, view, run, signals); },
      .clock = [&]() -> Seconds { return std::chrono::steady_clock::now() - begin; },
      .store = [&] { output.store(run.test); }};
  const auto signal = run_sessions(run.test, run.sessions_plan, runner);
  const auto report = report_of(run.test);
  output.show(run.test, report);
  cache(run, signal);
  const auto code = exit_code(run.test, report, signal);
  return code == 0 && output.broken() ? 1 : code;
}

/// Rows to measure, and pairs to report on: those that cannot run here are only reported.
void take_rows(SelfTestRun& run, std::vector<results::Row> rows) {
  for (auto& row : rows) {
    run.test.pairs.push_back({.name = row.name, .reason = row.reason});
    if (!is_error(row)) run.sessions_plan.rows.push_back(std::move(row));
  }
  if (run.plan.budget) run.sessions_plan.budget = run.plan.budget->time;
  run.sessions_plan.sessions = run.arguments.sessions;
  if (run.sessions_plan.sessions == 0 && !run.sessions_plan.budget)
    run.sessions_plan.sessions = sessions_for(static_cast<int>(run.sessions_plan.rows.size()));
}

int selftest_command(const SelfTestArguments& arguments, const catalogue::Program& program,
                     const BuildInfo& build) {
  SelfTestRun run{.arguments = arguments, .program = program, .plan = plan_run(arguments.surroundings)};
  const auto& selection = run.plan.selection;
  const auto catalogue = catalogue_of_pairs(program, !selection.patterns.empty());
  auto opening = open_session(run.plan, arguments.surroundings, program, catalogue);
  if (!opening) return no_device_exit;
  const bool without_gpu =
      selection.has_cuda && !selection.device.automatic && !selection.device.device.is_cuda();
  run.whole = selection.patterns.empty() && selection.points.empty() && !without_gpu;
  const auto fingerprint = results::take_fingerprint(parse_json(opening->probe_text, "probe"), build);
  run.test.machine_class = results::machine_class(fingerprint);
  run.test.fingerprint = results::fingerprint_to_json(fingerprint);
  run.test.started = utc_now();
  run.test.commit = std::string(build.commit);
  run.test.seed = run.plan.session.seed;
  run.test.alpha = session_alpha;
  take_rows(run, std::move(opening->rows));
  return measure(run);
}

constexpr int most_sessions = 10'000;

constexpr auto selftest_footer =
    "A session measures every pair once, in 14 rounds of fresh processes. In most sessions both\n"
    "sides are equal (A/A), so a verdict of faster or slower is false. In the others one side is\n"
    "slowed by 5 %, and the verdict must say so. tuneproof keeps the result for this class of\n"
    "machines, and `compare` gates with it for 30 days. Read docs/selftest.md to interpret it.\n"
    "\n"
    "Examples:\n"
    "  tuneproof selftest                                 enough sessions to prove the targets\n"
    "  tuneproof selftest --budget 10m                    as many sessions as fit; none is cut short\n"
    "  tuneproof selftest --sessions 2 'selftest/copy*'   two sessions of some pairs; not kept\n"
    "  tuneproof selftest 'sync/*' --json sync.json       the tips' own rows as A/A pairs, for\n"
    "                                                      compare --selftest sync.json";

}  // namespace

void add_selftest(CLI::App& app, const catalogue::Program& program, const BuildInfo& build,
                  catalogue::Action& chosen) {
  auto* selftest = app.add_subcommand(
      "selftest", "Test the verdicts on this machine with identical code and planted slowdowns");
  const auto arguments = std::make_shared<SelfTestArguments>();
  auto& run = arguments->surroundings;
  selftest->add_option("PATTERN", run.patterns,
                       "Globs over pairs and rows; default: all pairs of the self-test");
  declare_surroundings(*selftest, run, program.catalogue);
  add_value(*selftest, "--budget", run.budget, "TIME",
            "End after about this time, but finish the session: 10m, 1h");
  takes_number(
      selftest->add_option("--sessions", arguments->sessions, "Take this many sessions; four of six are A/A"),
      1, most_sessions)
      ->type_name("N");
  add_value(*selftest, "--json", run.json, "FILE",
            "Also write the self-test to FILE; - prints it instead of the table");
  selftest->footer(selftest_footer);
  catalogue::choose_by(*selftest, chosen, [arguments, &program, &build] {
    return selftest_command(*arguments, program, build);
  });
}

}  // namespace harness::run
