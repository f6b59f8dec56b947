#include "harness/cli/compare_programs.hpp"

#include "harness/cli/contest_crew.hpp"
#include "harness/cli/contest_plan.hpp"
#include "harness/cli/duration.hpp"
#include "harness/cli/exit_codes.hpp"
#include "harness/cli/run_session.hpp"
#include "harness/record/replace_file.hpp"
#include "harness/report/terminal.hpp"
#include "harness/worker/ask.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace harness {
namespace {

constexpr double most_plant = 1000;  // per cent

Camps camps_of(const TwoPrograms& two, const RunPlan& plan, const ProgramsArguments& arguments) {
  Camps camps{
      .sides = {}, .row_timeout = plan.timeout, .row_timeout_text = arguments.run.timeout, .row_seconds = {}};
  for (const auto side : {Side::base, Side::head}) {
    const auto& one = side == Side::base ? two.base : two.head;
    auto& camp = camps.sides.at(static_cast<std::size_t>(side));
    camp.worker = {one.worker, {"--measure"}, worker_environment(plan.threads)};
    camp.job = job_of(plan);
    camp.job.loader = one.program;
    const auto slow = side == Side::head ? arguments.plant_head / 100 : 0;
    camp.job.plant = {.slow_naive = slow, .slow_optimized = slow};
  }
  camps.row_seconds = [&catalogue = two.head.catalogue, looks = plan.looks.front()](const Row& row) {
    return row_seconds(catalogue, row.step, row.name) / (1 + looks);
  };
  return camps;
}

void check_device(const TwoPrograms& two, StandIn stand_in) {
  const bool stands_in = on_stand_in(two.head.fingerprint);
  if (stands_in && stand_in == StandIn::refuse)
    throw BadInput("compare: the stand-in device has no times; --allow-stand-in compares all the same");
  check_stand_in(stands_in, stand_in, "compare --base --head");
}

int dry_run(const TwoPrograms& two, const RunPlan& plan, const ProgramsArguments& arguments) {
  const auto camps = camps_of(two, plan, arguments);
  const auto session = blank_session(two, plan);
  double all = 0;
  for (const auto& row : session.rows) {
    const auto seconds = is_error(row) ? 0 : camps.row_seconds(row) * (2 + 4 * session.session.looks.front());
    all += seconds;
    fmt::print("{}  {}\n", row.name,
               is_error(row) ? "skipped: " + row.reason : fmt::format("{:.0f} s", seconds));
  }
  const auto rows = session.rows.size();
  fmt::print("{} {}, about {:.1f} minutes\n", rows, rows == 1 ? "row" : "rows", all / 60);
  return 0;
}

GateOutcome measure(const TwoPrograms& two, const RunPlan& plan, const ProgramsArguments& arguments) {
  auto camps = camps_of(two, plan, arguments);
  const std::array memory{nameless_file("tuneproof-base"), nameless_file("tuneproof-head")};
  for (std::size_t side = 0; side < memory.size(); ++side)
    camps.sides.at(side).worker.memory = memory.at(side).get();
  const GateRules rules{.noise = noise_of_rows(two),
                        .pause = parse_duration(arguments.confirm_after, "--confirm-after")};
  Progress progress(stderr, is_terminal(stderr));
  SignalWatch signals;
  return run_gate(blank_session(two, plan), rules, contest_crew(camps, progress, signals));
}

int refuse(const std::vector<std::string>& reasons) {
  for (const auto& reason : reasons) fmt::print(stderr, "tuneproof: refused: {}\n", reason);
  return refused_exit;
}

/// The table, and the document where one is wanted; false where its file could not be written after all.
bool write(const ContestReport& report, const ProgramsArguments& arguments,
           const std::optional<ReplaceFile>& file) {
  const bool document = arguments.run.json == "-";
  fmt::print(document ? stderr : stdout, "{}", contest_text(report, style_of(document ? stderr : stdout)));
  const auto text = arguments.run.json.empty() ? std::string() : pretty(contest_json(report));
  if (document) fmt::print("{}", text);
  try {
    if (file) file->write(text);
  } catch (const BadInput& error) {
    fmt::print(stderr, "tuneproof: {}\n", error.what());
    return false;
  }
  return true;
}

/// CLI11's `needs` would say so too, but behind every option in the help.
void require_programs(const CLI::Option* base, const CLI::Option* head,
                      const std::vector<CLI::Option*>& own) {
  if (base->count() > 0 && head->count() > 0) return;
  const auto* missing = base->count() > 0 ? head : base;
  for (const auto* option : own)
    if (option->count() > 0) throw CLI::RequiresError(option->get_name(), missing->get_name());
}

}  // namespace

int compare_programs(const ProgramsArguments& arguments, const CiArguments& ci, bool strict) {
  if (!(arguments.plant_head >= 0 && arguments.plant_head <= most_plant))
    throw BadInput(fmt::format("--plant-head: per cent from 0 to {} are expected", most_plant));
  auto plan = plan_run(arguments.run);
  auto& device = plan.selection.device;
  const CiOutput ci_output(arguments.run.dry_run ? CiArguments{} : ci);
  std::optional<ReplaceFile> file;
  if (!arguments.run.dry_run && !arguments.run.json.empty() && arguments.run.json != "-")
    file.emplace(arguments.run.json);
  // Its pairs are plain work; they are measured where they are named, and the self-test knows their noise.
  const Question question{device.device,
                          std::ranges::any_of(plan.selection.patterns, [](const std::string& pattern) {
                            return pattern.starts_with("selftest/");
                          })};
  TwoPrograms two{ask_contender(arguments.base, "--base", question),
                  ask_contender(arguments.head, "--head", question)};
  check_device(two, arguments.stand_in);
  if (const auto reasons =
          all_refusals(two, arguments.selftest, arguments.no_selftest || arguments.run.dry_run);
      !reasons.empty())
    return refuse(reasons);
  if (!accept_device(plan.selection, arguments.run, parse_probe(two.head.probe))) return no_device_exit;
  select(two, plan.selection);
  require_use(plan.options, two.head_rows, two.head.catalogue);
  if (device.automatic && plan.selection.has_cuda) device.device = {Device::Kind::cuda, 0};
  if (arguments.run.dry_run) return dry_run(two, plan, arguments);

  ContestReport report{.base = {two.base.program.string(), two.base.version, two.base.commit},
                       .head = {two.head.program.string(), two.head.version, two.head.commit},
                       .outcome = measure(two, plan, arguments),
                       .fingerprint = two.head.fingerprint,
                       .missing = only_in(two.base_rows, two.head_rows),
                       .added = only_in(two.head_rows, two.base_rows)};
  report.notes = notes_of(two, report.outcome.rows, arguments.plant_head);
  const auto code = contest_exit(report, strict);
  return ci_output.write(contest_ci(report, strict), write(report, arguments, file) || code != 0 ? code : 1);
}

int contest_exit(const ContestReport& report, bool strict) {
  const auto& rows = report.outcome.rows;
  const auto count = [&](const auto& what) { return std::ranges::count_if(rows, what); };
  if (report.outcome.signal) return 128 + *report.outcome.signal;
  if (count([](const ContestRow& row) { return row.confirmed || !row.increases.empty(); }) > 0)
    return regression_exit;
  if (count([](const ContestRow& row) { return row.row.judged.verdict == Verdict::failed; }) > 0) return 1;
  if (!strict) return 0;
  const auto undecided =
      count([](const ContestRow& row) { return row.row.judged.verdict == Verdict::inconclusive; });
  const bool many = static_cast<double>(undecided) > most_undecided * static_cast<double>(rows.size());
  const bool lost = count([](const ContestRow& row) { return is_lost(row.row); }) > 0;
  return many || lost || rows.empty() || !report.missing.empty() ? strict_exit : 0;
}

void declare(CLI::App& command, ProgramsArguments& arguments, const Catalogue& catalogue) {
  const auto before = command.get_options().size();
  auto* base = command.add_option("--base", arguments.base, "The program to compare with: OLD/tuneproof");
  auto* head = command.add_option("--head", arguments.head, "The changed program: NEW/tuneproof");
  for (auto* program : {base, head}) program->type_name("PROGRAM");
  command
      .add_option("--suite", arguments.run.suite,
                  "Points to take: quick or full; default: full with a PATTERN")
      ->check(CLI::IsMember({"quick", "full"}));
  declare_surroundings(command, arguments.run, catalogue);
  command
      .add_option("--looks", arguments.run.looks, "Looks at the rounds: 1 (after 14), 3 (after 14, 28, 56)")
      ->check(CLI::IsMember({1, 3}))
      ->capture_default_str();
  command.add_option("--pairs", arguments.run.pairs, "Crossed pairs of quads of a row in a process")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command.add_option("--json", arguments.run.json, "Store the comparison; - is standard output")
      ->type_name("FILE");
  command
      .add_option("--confirm-after", arguments.confirm_after,
                  "Wait this long before slower rows are measured again")
      ->type_name("TIME")
      ->capture_default_str();
  command.add_flag("--dry-run", arguments.run.dry_run, "Print the rows and the minutes they should take");
  command
      .add_option("--selftest", arguments.selftest,
                  "A self-test of these rows (selftest 'sync/*' --json FILE): their noise sets the margins")
      ->type_name("FILE");
  command.add_flag("--no-selftest", arguments.no_selftest, "Gate without a self-test");
  command
      .add_option("--plant-head", arguments.plant_head, "Slow HEAD by this on purpose, to see your gate fail")
      ->type_name("PERCENT")
      ->group("Trying the gate");
  auto own = command.get_options();
  own.erase(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(before));
  for (auto* option : own)
    if (option->get_group() == "Options") option->group("Two programs");
  command.parse_complete_callback([base, head, own] { require_programs(base, head, own); });
}

}  // namespace harness
