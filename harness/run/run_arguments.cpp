#include "harness/run/run_arguments.hpp"

#include "harness/core/allot.hpp"
#include "harness/core/parse_number.hpp"
#include "harness/core/verdict.hpp"
#include "harness/machine/host.hpp"
#include "harness/run/job_place.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/usage.hpp"

#include <CLI/CLI.hpp>

namespace harness::run {
namespace {

constexpr int most_pairs = 64;

DeviceChoice device_choice(const std::string& text) {
  if (text == "auto") return {};
  try {
    return {false, parse_device(text)};
  } catch (const std::invalid_argument&) {
    throw BadInput("--device '" + text + "': expected auto, cpu, cuda or cuda:N");
  }
}

/// An empty value is a variable that a script forgot to set, not a wish for the default.
std::string not_empty(std::string& text) { return text.empty() ? "the value is empty" : ""; }

std::uint64_t random_seed() {
  std::random_device source;
  return (std::uint64_t{source()} << 32) | source();
}

Suite suite_of(const RunArguments& arguments) {
  if (arguments.suite.empty()) return arguments.patterns.empty() ? Suite::quick : Suite::full;
  return Suite(std::ranges::find(suite_names, arguments.suite) - suite_names.begin());
}

}  // namespace

std::uint64_t parse_seed(const std::string& text) {
  const auto seed = text.starts_with("0x") ? parse_hexadecimal(text) : parse_number<std::uint64_t>(text);
  if (!seed) throw BadInput("--seed '" + text + "': expected a whole number from 0 to 2^64 - 1");
  return *seed;
}

std::vector<std::string> suite_texts() { return {suite_names.begin(), suite_names.end()}; }

std::string option_name(const std::string& name) {
  const auto first = name.find_first_not_of('-');
  return first == std::string::npos ? name : name.substr(first);
}

void declare_surroundings(CLI::App& command, RunArguments& arguments, const catalogue::Catalogue& catalogue) {
  command.add_option("--device", arguments.device, "auto, cpu, cuda or cuda:N")->capture_default_str();
  add_value(command, "--point", arguments.points, "AXIS=VALUES",
            "Take only these values of an axis: n=1,8 or bytes=1M..16M; repeatable");
  add_value(command, "--timeout", arguments.timeout, "TIME", "Give up on a row after this time")
      ->capture_default_str();
  takes_number(command.add_option("--threads", arguments.threads, "CPU threads; default: all cores but one"),
               1, most_threads);
  add_value(command, "--seed", arguments.seed, "N",
            "Seed for the order and for made-up data: 7 or 0x1f; default: random order, data from seed 1");
  for (const auto& option : catalogue.options)
    command
        .add_option("--" + option_name(option.name), arguments.options[option_name(option.name)],
                    option.meaning)
        ->type_name(option.value)
        ->group("Workloads");
}

void declare(CLI::App& run, RunArguments& arguments, const catalogue::Catalogue& catalogue) {
  run.add_option("PATTERN", arguments.patterns,
                 "Folders, or globs over step ids and row names; default: all steps")
      ->check(CLI::Validator(not_empty, ""));
  run.add_option(
         "--suite", arguments.suite,
         "Which rows of the steps: quick (the default without a PATTERN), full (the default with one), or "
         "claims: one row of each step that has none in quick")
      ->check(CLI::IsMember(suite_texts()));
  declare_surroundings(run, arguments, catalogue);
  add_value(run, "--budget", arguments.budget, "TIME",
            "End after about this time: 90s, 3m, 1h; --count and --profile may each take as long again");
  arguments.looks = 0;
  run.add_option(
         "--looks", arguments.looks,
         "1: every row takes 14 rounds; 3: up to 56, judged after 14, 28 and 56; default: a row with a plain "
         "result stops after 3 to 6, and in the time of 10 rounds those near a verdict take more")
      ->check(CLI::IsMember({"1", "3"}));
  arguments.pairs = 0;
  takes_number(
      run.add_option(
          "--pairs", arguments.pairs,
          "How often a round repeats a row (a pair is eight timed slots, four of each side); more "
          "pairs, less noise; default: 1; on a GPU, from the fourth round on, as many as fit into the "
          "time of one round again"),
      1, most_pairs);
  add_value(run, "--json", arguments.json, "FILE", "Write a results file; - prints it instead of the table");
  add_value(run, "--resume", arguments.resume, "FILE",
            "Continue the interrupted measurement in this results file");
  run.add_flag("--dry-run", arguments.dry_run, "Only print the rows and how long they should take");
  run.add_flag(
      "--details", arguments.details,
      "Print below each row both times, the smallest change it could have shown, remarks and counters");
  run.add_flag(
      "--leave-one-out", arguments.leave_one_out,
      "Also measure each change of a ladder alone: removed from the best form, added to the first one; for "
      "'stgym/*', 'resnet50/*', 'gpt/*' and 'unet/*'");
  run.add_option("--count", arguments.count,
                 "Then count each row's instructions on the host, by the kernel's counter or under valgrind")
      ->check(CLI::IsMember({"instructions"}));
  auto* profile =
      run.add_flag("--profile", arguments.profile, "Then run each row once more under PyTorch's profiler")
          ->group("Profile");
  run.add_option("--profile-schedule", arguments.profile_schedule,
                 "Which runs to record; default: " + results::to_string(rung_schedule))
      ->needs(profile)
      ->option_text("PARTS")  // as above
      ->group("Profile");
  add_value(run, "--profile-out", arguments.profile_out, "DIR", "Folder for the traces")
      ->capture_default_str()
      ->group("Profile");
  run.footer(
      "--point filters the steps that have the axis. Several --point options for one\n"
      "axis add up. In the table, FROM is the time of the first side, and CHANGE how\n"
      "much less (-) or more (+) the second side takes, the one that follows the tip.\n"
      "BY is what decided the verdict; it is empty where nothing did.\n\n"
      "Examples:\n"
      "  tuneproof run                                       the quick suite\n"
      "  tuneproof run 'transfer/*' --point bytes=1M..16M    some points of two steps\n"
      "  tuneproof run sync/item_every_step --count instructions --details\n"
      "  torchrun --nproc-per-node 2 --no-python tuneproof run 'parallel/*'\n"
      "  tuneproof run 'stgym/*' --config clustering --data human-crc=cells.csv");
}

RunPlan plan_limits(const RunArguments& arguments) {
  RunPlan plan{.timeout = parse_duration(arguments.timeout, "--timeout")};
  if (!arguments.budget.empty()) plan.budget = parse_duration(arguments.budget, "--budget");
  if (arguments.profile)
    plan.profile = results::parse_schedule(arguments.profile_schedule, "--profile-schedule", rung_schedule);
  return plan;
}

RunPlan plan_run(const RunArguments& arguments) {
  auto plan = plan_limits(arguments);
  plan.selection = {.patterns = arguments.patterns,
                    .suite = suite_of(arguments),
                    .device = device_choice(arguments.device),
                    .has_cuda = false,
                    .points = arguments.points,
                    .leave_one_out = arguments.leave_one_out};
  auto& session = plan.session;
  session.suite = suite_names.at(static_cast<std::size_t>(plan.selection.suite));
  session.seed = arguments.seed.empty() ? random_seed() : parse_seed(arguments.seed);
  session.data_seed = arguments.seed.empty() ? usual_data_seed : session.seed;
  session.threads = arguments.threads > 0 ? arguments.threads : default_threads(read_host());
  session.allotted = arguments.looks == 0;
  session.looks = session.allotted       ? allotted_looks
                  : arguments.looks == 3 ? std::vector{14, 28, 56}
                                         : std::vector{even_rounds};
  if (session.allotted) session.early = early_looks;
  session.pairs = std::max(1, arguments.pairs);
  session.pairs_by_share = arguments.pairs == 0;
  for (const auto& [name, value] : arguments.options)
    if (!value.empty()) session.options[name] = value;
  rank_count(session.options);  // a dry run refuses what a real one would
  return plan;
}

}  // namespace harness::run
