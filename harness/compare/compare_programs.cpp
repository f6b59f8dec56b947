#include "harness/compare/compare_programs.hpp"

#include "harness/compare/build.hpp"
#include "harness/compare/contest_text.hpp"
#include "harness/compare/gate_session.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/run/run_output.hpp"
#include "harness/run/run_session.hpp"
#include "harness/run/self_test.hpp"
#include "harness/run/self_test_file.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/exit_codes.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace harness::compare {
namespace {

// What two programs are to measure together, and what stands behind the gate.

/// Both programs, and the rows that were asked for of each.
struct TwoPrograms {
  Build base, head;
  std::optional<run::SelfTest> self_test = {};
  std::vector<results::Row> base_rows = {}, head_rows = {};
};

bool matches(const Build& one, const std::string& pattern) {
  try {
    return !run::select_rows(one.catalogue, {.patterns = {pattern}, .suite = Suite::full, .has_cuda = true})
                .empty();
  } catch (const BadInput&) {
    return false;
  }
}

/// A pattern may match in one of the two only: then the other has nothing to pair. `error` says why there is
/// no row.
std::vector<results::Row> rows_of(const Build& one, run::Selection selection, std::string& error) {
  const bool all = selection.patterns.empty();
  std::erase_if(selection.patterns, [&](const std::string& pattern) { return !matches(one, pattern); });
  if (!all && selection.patterns.empty()) return {};
  try {
    return run::planned_rows(one.catalogue, selection, parse_probe(one.probe));
  } catch (const BadInput& nothing) {
    error = nothing.what();
    return {};
  }
}

std::set<std::string> names_of(const std::vector<results::Row>& rows) {
  std::set<std::string> names;
  for (const auto& row : rows) names.insert(row.name);
  return names;
}

std::string self_test_note(const run::SelfTest& test, const std::vector<ContestRow>& rows) {
  const auto unknown =
      std::ranges::count_if(rows, [&](const ContestRow& row) { return !run::noise_of(test, row.row.name); });
  auto note = fmt::format("margins follow this machine class's self-test of {}, grade {}",
                          test.started.substr(0, 10), run::to_string(run::report_of(test).grade));
  if (run::report_of(test).grade == run::Grade::c)
    note += "; it missed a target, so a failure may be chance (run `tuneproof selftest` to see which)";
  if (unknown > 0)
    note += fmt::format("; {} of {} rows are not in it and get the default margin", unknown, rows.size());
  return note;
}

/// Why they may not be gated, in sentences. Looks for the self-test on the way, unless none is wanted.
/// `self_test`: the file of one; empty: that of this class of machine, kept by `selftest`.
std::vector<std::string> all_refusals(TwoPrograms& two, const std::vector<Across>& across,
                                      const std::string& self_test, bool no_self_test) {
  auto reasons = refusals(two.base, two.head, across);
  if (!reasons.empty() || no_self_test) return reasons;
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto machine = results::machine_class(two.head.fingerprint);
  if (self_test.empty()) {
    two.self_test = run::cached_self_test(machine, now);
  } else if (auto test = run::read_self_test(self_test); run::is_current(test, machine, now)) {
    two.self_test = std::move(test);
  } else {
    reasons.push_back(self_test + " is not a self-test of this class of machine from the last 30 days");
    return reasons;
  }
  const auto kept = run::self_test_cache(machine);
  if (!two.self_test)
    reasons.push_back(
        fmt::format("this class of machine has no self-test from the last 30 days, so nothing shows how far "
                    "to trust a gate{}; run `tuneproof selftest`, name one with --selftest FILE, or gate "
                    "without one by --no-selftest",
                    kept ? " (" + kept->string() + ")" : ""));
  return reasons;
}

/// Finds the rows in both. Throws BadInput where the patterns match in neither.
void select(TwoPrograms& two, const run::Selection& selection) {
  for (const auto& pattern : selection.patterns)
    if (!matches(two.base, pattern) && !matches(two.head, pattern))
      run::select_rows(two.head.catalogue, {.patterns = {pattern}});  // throws, naming near misses
  std::string in_base, in_head;
  two.base_rows = rows_of(two.base, selection, in_base);
  two.head_rows = rows_of(two.head, selection, in_head);
  if (two.base_rows.empty() && two.head_rows.empty()) throw BadInput(in_head);
}

/// The names of the rows that have none of that name among the others.
std::vector<std::string> only_in(const std::vector<results::Row>& rows,
                                 const std::vector<results::Row>& others) {
  const auto other_names = names_of(others);
  std::vector<std::string> names;
  for (const auto& row : rows)
    if (!other_names.contains(row.name)) names.push_back(row.name);
  return names;
}

/// The rows that both have, blank, or skipped where HEAD cannot run them here.
results::Results blank_session(const TwoPrograms& two, const run::RunPlan& plan) {
  auto rows = two.head_rows;
  const auto in_base = names_of(two.base_rows);
  std::erase_if(rows, [&](const results::Row& row) { return !in_base.contains(row.name); });
  return run::new_results(plan, std::move(rows), two.head.fingerprint, two.head.commit);
}

/// Leaves the looks at which so many rows can be gated. Throws BadInput where there is none.
void set_gating_looks(results::Results& session) {
  const auto open = std::ranges::count(session.rows, Verdict::inconclusive,
                                       [](const results::Row& row) { return row.judged.verdict; });
  session.session.looks =
      gating_looks({.looks = session.session.looks, .alpha = run::session_alpha}, static_cast<int>(open));
}

/// nu of the rows that the self-test names.
std::map<std::string, double> noise_of_rows(const TwoPrograms& two) {
  std::map<std::string, double> noise;
  if (!two.self_test) return noise;
  for (const auto& row : two.head_rows)
    if (const auto nu = run::noise_of(*two.self_test, row.name)) noise[row.name] = *nu;
  return noise;
}

/// What else is to be known of the outcome.
std::vector<std::string> notes_of(const TwoPrograms& two, const std::vector<ContestRow>& rows) {
  std::vector<std::string> notes;
  for (auto& note : treatments(two.base, two.head)) notes.push_back(std::move(note));
  notes.push_back(two.self_test ? self_test_note(*two.self_test, rows)
                                : "this gate has no self-test, so its margins are the defaults: 3 % by CUDA "
                                  "events and 5 % by the host's clock");
  return notes;
}

constexpr double most_plant = 1000;  // per cent

bool counts_only(const ProgramsArguments& arguments) { return !arguments.run.count.empty(); }

BuildWorkers workers_of(const TwoPrograms& two, const run::RunPlan& plan,
                        const ProgramsArguments& arguments) {
  BuildWorkers build_workers{.builds = {run::worker_plan_of(plan, two.base.worker, two.base.program),
                                        run::worker_plan_of(plan, two.head.worker, two.head.program)},
                             .row_seconds = [&catalogue = two.head.catalogue,
                                             looks = plan.session.looks.front()](const results::Row& row) {
                               return catalogue::row_seconds(catalogue, row.step, row.name) / (1 + looks);
                             }};
  build_workers.of(run::ContestBuild::head).task.plant.slow_optimized = arguments.plant_head / 100;
  return build_workers;
}

void check_device(const TwoPrograms& two, results::StandIn stand_in) {
  const bool stands_in = results::on_stand_in(two.head.fingerprint);
  if (stands_in && stand_in == results::StandIn::refuse)
    throw BadInput("compare: the stand-in device has no times; add --allow-stand-in to compare anyway");
  results::check_stand_in(stands_in, stand_in, "compare --base --head");
}

int dry_run(const TwoPrograms& two, const run::RunPlan& plan, const ProgramsArguments& arguments) {
  const auto build_workers = workers_of(two, plan, arguments);
  auto session = blank_session(two, plan);
  if (!counts_only(arguments)) set_gating_looks(session);
  double all = 0;
  for (const auto& row : session.rows) {
    const auto rounds = counts_only(arguments) ? 0 : session.session.looks.front();
    const auto seconds = results::is_error(row) ? 0 : build_workers.row_seconds(row) * (2 + 4 * rounds);
    all += seconds;
    fmt::print("{}", run::planned_text(row, seconds, style_of(stdout)));
  }
  const auto rows = session.rows.size();
  fmt::print("{} {}, about {}\n", rows, rows == 1 ? "row" : "rows", run::duration_text(all));
  return 0;
}

GateOutcome measure(const TwoPrograms& two, const run::RunPlan& plan, const ProgramsArguments& arguments) {
  auto build_workers = workers_of(two, plan, arguments);
  const std::array memory{nameless_file("tuneproof-base"), nameless_file("tuneproof-head")};
  for (std::size_t build = 0; build < memory.size(); ++build)
    build_workers.builds.at(build).worker.memory = memory.at(build).get();
  const GateRules rules{.noise = noise_of_rows(two),
                        .pause = parse_duration(arguments.confirm_after, "--confirm-after").time};
  run::Progress progress(stderr, is_terminal(stderr));
  SignalWatch signals;
  auto session = blank_session(two, plan);
  const auto runner = build_runner(build_workers, progress, signals);
  if (counts_only(arguments))
    return count_gate(std::move(session), runner.launch, build_counter(build_workers, progress, signals));
  set_gating_looks(session);
  return run_gate(std::move(session), rules, runner);
}

std::string title_of(const ProgramsArguments& arguments) {
  return fmt::format("tuneproof compare --base {} --head {}", arguments.base, arguments.head);
}

int refuse(const std::vector<std::string>& reasons, const ProgramsArguments& arguments,
           const CiOutput& ci_output) {
  for (const auto& reason : reasons) tell("refused: " + reason);
  return ci_output.write({.title = title_of(arguments), .refusals = reasons}).code;
}

/// What else is to be known of the outcome.
std::vector<std::string> notes_of(const TwoPrograms& two, const GateOutcome& outcome,
                                  const ProgramsArguments& arguments) {
  std::vector<std::string> notes;
  if (counts_only(arguments))
    notes = treatments(two.base, two.head);
  else
    notes = notes_of(two, outcome.rows);
  if (arguments.plant_head > 0)
    notes.insert(notes.begin(),
                 fmt::format("--plant-head slowed the second side of every row of HEAD by {:g} % "
                             "on purpose",
                             arguments.plant_head));
  return notes;
}

/// True if no self-test can or need stand behind the gate: counts carry no noise, and a program of one's own
/// steps has no self-test.
bool without_selftest(const TwoPrograms& two, const ProgramsArguments& arguments) {
  if (!arguments.selftest.empty()) return false;
  return arguments.no_selftest || arguments.run.dry_run || counts_only(arguments) || is_own(two.head);
}

/// The table, the document where one is wanted, the reports for CI, and the last line. Returns the exit code.
int write(const ContestReport& report, const ProgramsArguments& arguments,
          const std::optional<ReplaceFile>& file, const CiOutput& ci_output) {
  auto* const table = table_beside(arguments.run.json);
  show_lines(table, contest_text(report, style_of(table)));
  const auto text = arguments.run.json.empty() ? std::string() : pretty(contest_json(report));
  if (arguments.run.json == "-") show_lines(stdout, text);
  auto in_ci = contest_ci(report);
  try {
    if (file) {
      file->write(text);
      results::tell_results_file(file->path());
    }
  } catch (const BadInput& error) {
    tell(error.what());
    in_ci.errors.emplace_back(error.what());
  }
  const auto say = [&](const std::string& line) { show_lines(table, line + "\n"); };
  return ci_output.write(std::move(in_ci), say).code;
}

/// A dry run refuses what a real one would.
void check(const ProgramsArguments& arguments) {
  if (!(arguments.plant_head >= 0 && arguments.plant_head <= most_plant))
    throw BadInput(fmt::format("--plant-head: expected a percentage from 0 to {}", most_plant));
  parse_duration(arguments.confirm_after, "--confirm-after");
}

/// Asks both programs, measures them in turn and reports; returns the exit code.
int compare_builds(run::RunPlan plan, const ProgramsArguments& arguments, const Demands& demands,
                   const std::optional<ReplaceFile>& file, const CiOutput& ci_output) {
  auto& device = plan.selection.device;
  // Its pairs are plain work; they are measured where they are named, and the self-test knows their noise.
  const Question question{device.device,
                          std::ranges::any_of(plan.selection.patterns, [](const std::string& pattern) {
                            return pattern.starts_with("selftest/");
                          })};
  TwoPrograms two{ask_build(arguments.base, "--base", question),
                  ask_build(arguments.head, "--head", question)};
  check_device(two, arguments.stand_in);
  if (const auto reasons =
          all_refusals(two, arguments.across, arguments.selftest, without_selftest(two, arguments));
      !reasons.empty())
    return refuse(reasons, arguments, ci_output);
  if (!run::accept_device(plan.selection, arguments.run, parse_probe(two.head.probe))) {
    ci_output.write({.title = title_of(arguments), .errors = {"no usable device"}});
    return no_device_exit;
  }
  select(two, plan.selection);
  run::require_use(plan.session.options, two.head_rows, two.head.catalogue);
  if (device.automatic && plan.selection.has_cuda) device.device = {Device::Kind::cuda, 0};
  if (arguments.run.dry_run) return dry_run(two, plan, arguments);

  ContestReport report{.base = {two.base.program.string(), two.base.version, two.base.commit},
                       .head = {two.head.program.string(), two.head.version, two.head.commit},
                       .outcome = measure(two, plan, arguments),
                       .fingerprint = two.head.fingerprint,
                       .missing = only_in(two.base_rows, two.head_rows),
                       .added = only_in(two.head_rows, two.base_rows),
                       .demands = demands};
  report.notes = notes_of(two, report.outcome, arguments);
  clean(report);
  return write(report, arguments, file, ci_output);
}

}  // namespace

int compare_programs(const ProgramsArguments& arguments, const catalogue::OptionReader& reader,
                     const CiArguments& ci, const Demands& demands) {
  if (arguments.run.dry_run)
    for (const auto& file : {arguments.run.json, ci.junit, ci.markdown}) require_writable(file);
  const CiOutput ci_output(arguments.run.dry_run ? CiArguments{} : ci);
  ci_output.announce(title_of(arguments));
  return ci_output.guard(title_of(arguments), [&] {
    check(arguments);
    auto plan = run::plan_run(arguments.run);
    if (reader.resolve != nullptr) reader.resolve(plan.session.options);
    std::optional<ReplaceFile> file;
    if (!arguments.run.dry_run && !arguments.run.json.empty() && arguments.run.json != "-")
      file.emplace(arguments.run.json);
    return compare_builds(std::move(plan), arguments, demands, file, ci_output);
  });
}

}  // namespace harness::compare
